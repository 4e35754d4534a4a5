// Elements and texts.
//
// Rules of this file:
// - Whatever comes from a session becomes text, never markup.
// - A text grows by nodes of its own, so that a piece costs what the piece is.

const CHUNK = 4096;

/** Make an element; `class` and `text` are what they say, functions listen, the rest are attributes. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") made.className = value;
    else if (name === "text") made.textContent = value;
    else if (typeof value === "function") made.addEventListener(name, value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Put a text into an element, if it isn't there already. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Put a text behind what an element holds. */
export function appendText(target, text) {
  const last = target.lastChild;
  if (last !== null && last.nodeType === Node.TEXT_NODE && last.length < CHUNK) last.appendData(text);
  else if (text !== "") target.append(text);
}

/** Set an attribute, or remove it where the value is null or false. */
export function setAttribute(target, name, value) {
  if (value === null || value === undefined || value === false) target.removeAttribute(name);
  else if (target.getAttribute(name) !== String(value)) target.setAttribute(name, value);
}

// A terminal's control sequences: colours and the like (ECMA-48), and titles (OSC).
const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-Z\\^-~])/g;
const LONGEST_SEQUENCE = 256;

/** Takes a terminal's control sequences out of a text that comes in pieces. */
export class Terminal {
  #rest = "";

  /** Return what a piece adds to what is shown. */
  take(piece) {
    if (this.#rest === "" && !piece.includes("\x1b")) return piece;
    const text = (this.#rest + piece).replace(SEQUENCE, "");
    const open = text.lastIndexOf("\x1b");
    const isTorn = open >= 0 && text.length - open < LONGEST_SEQUENCE;
    this.#rest = isTorn ? text.slice(open) : "";
    return isTorn ? text.slice(0, open) : text;
  }
}
