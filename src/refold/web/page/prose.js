// Text as a model writes it: paragraphs, lists, headings, quotes, tables, code.
//
// Rules of this file:
// - Line by line: a line that is whole never changes what was made of those in front of it, so
//   growing costs what came, and what is shown doesn't depend on how a text was cut.
// - The last line, while it may still grow, is shown as it is.
// - What isn't understood stays text. Links lead to http and https only.

import { appendText, element } from "./dom.js";

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const LIST_ITEM = /^([ \t]*)([-*+•]|\d{1,9}[.)])[ \t]+(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const TABLE_ROW = /^ {0,3}\|(.*)\|[ \t]*$/;
const TABLE_LINE = /^[ \t|:-]+$/;
const SPANS =
  /(`[^`]+`)|\*\*([^*]+)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*|\[([^[\]]+)\]\((https?:\/\/[^\s()]+)\)|(https?:\/\/[^\s<>"'`|]+)/g;
const LONGEST_LINE = 4000;
const DEEPEST = 8;

/** A text in an element, that can grow and comes to an end. */
export class Prose {
  #line = "";
  #tail = null;
  #block = null;

  constructor(target) {
    this.target = target;
  }

  /** Show a text instead of what is there. */
  reset(text) {
    this.target.replaceChildren();
    this.#line = "";
    this.#tail = this.#block = null;
    this.append(text);
  }

  /** Let the text grow. */
  append(text) {
    const lines = text.split("\n");
    for (const line of lines.slice(0, -1)) {
      const whole = this.#line + line;
      this.#dropTail();
      this.#line = "";
      this.#take(whole.endsWith("\r") ? whole.slice(0, -1) : whole);
    }
    this.#growTail(lines.at(-1));
  }

  /** Take the last line as whole: the text doesn't grow any more. */
  finish() {
    if (this.#line === "") return;
    const line = this.#line;
    this.#dropTail();
    this.#line = "";
    this.#take(line);
  }

  #growTail(text) {
    if (text === "") return;
    this.#line += text;
    if (this.#tail === null) {
      const isCode = this.#block?.kind === "code";
      this.#tail = element(isCode ? "span" : "p", { class: "tail" });
      (isCode ? this.#block.element : this.target).append(this.#tail);
    }
    appendText(this.#tail, text);
  }

  #dropTail() {
    this.#tail?.remove();
    this.#tail = null;
  }

  #take(line) {
    if (this.#block?.kind === "code") this.#takeCode(line);
    else if (line.trim() === "") this.#block = this.#block?.kind === "list" ? this.#block : null;
    else this.#takeBlock(line);
  }

  #takeCode(line) {
    const { fence, element: code } = this.#block;
    const end = line.trim();
    const isEnd = end.length >= fence.length && end === fence[0].repeat(end.length);
    if (isEnd) this.#block = null;
    else appendText(code, `${line}\n`);
  }

  #takeBlock(line) {
    let found;
    if ((found = FENCE.exec(line))) this.#beginCode(found[1], found[2]);
    else if ((found = HEADING.exec(line))) this.#takeHeading(found[1].length, found[2]);
    else if (RULE.test(line)) this.#put("rule", element("hr"));
    else if ((found = LIST_ITEM.exec(line))) this.#takeListItem(...found.slice(1));
    else if ((found = QUOTE.exec(line))) this.#takeLine("quote", "blockquote", found[1]);
    else if ((found = TABLE_ROW.exec(line))) this.#takeRow(line, found[1]);
    else if (this.#block?.kind === "list" && /^\s/.test(line)) this.#goOn(line.trim());
    else this.#takeLine("paragraph", "p", line);
  }

  #put(kind, made, more = {}) {
    this.target.append(made);
    this.#block = { kind, element: made, ...more };
    return this.#block;
  }

  #beginCode(fence, language) {
    const code = element("code");
    const box = element("pre", { class: "code", tabindex: "0", "data-language": language || null }, code);
    this.target.append(box);
    this.#block = { kind: "code", element: code, fence };
  }

  #takeHeading(level, text) {
    const made = element(`h${Math.min(6, level + 2)}`);
    spansInto(made, text);
    this.#put("heading", made);
  }

  #takeLine(kind, tag, text) {
    const goesOn = this.#block?.kind === kind;
    const block = goesOn ? this.#block : this.#put(kind, element(tag));
    if (goesOn) appendText(block.element, "\n");
    spansInto(block.element, text);
  }

  #takeRow(line, inner) {
    const block = this.#block?.kind === "table" ? this.#block : this.#beginTable();
    if (TABLE_LINE.test(line)) {
      block.body.rows[0]?.classList.add("head");
      return;
    }
    const row = element("tr");
    for (const cell of inner.split("|")) {
      const made = element("td");
      spansInto(made, cell.trim());
      row.append(made);
    }
    block.body.append(row);
  }

  #beginTable() {
    const body = element("tbody");
    const box = element("div", { class: "table", tabindex: "0" }, element("table", {}, body));
    return this.#put("table", box, { body });
  }

  #takeListItem(space, mark, text) {
    const indent = space.replaceAll("\t", "    ").length;
    const levels = this.#block?.kind === "list" ? this.#block.levels : this.#beginList();
    while (levels.length > 0 && indent < levels.at(-1).indent) levels.pop();
    const top = levels.at(-1);
    if (top === undefined || (indent > top.indent + 1 && levels.length < DEEPEST)) {
      this.#openLevel(levels, indent, mark);
    } else if (top.isOrdered !== isOrdered(mark)) {
      levels.pop();
      this.#openLevel(levels, indent, mark);
    }
    const item = element("li");
    spansInto(item, text);
    levels.at(-1).list.append(item);
    this.#block.element = item;
  }

  #beginList() {
    this.#block = { kind: "list", element: this.target, levels: [] };
    return this.#block.levels;
  }

  #openLevel(levels, indent, mark) {
    const isNumbered = isOrdered(mark);
    const start = isNumbered && parseInt(mark, 10) !== 1 ? parseInt(mark, 10) : null;
    const list = element(isNumbered ? "ol" : "ul", { start });
    (levels.at(-1)?.list.lastElementChild ?? this.target).append(list);
    levels.push({ indent, list, isOrdered: isNumbered });
  }

  #goOn(text) {
    const item = this.#block.element;
    const last = item.lastElementChild;
    const list = last !== null && /^[OU]L$/.test(last.tagName) ? last : null;
    const line = element("span");
    line.append("\n");
    spansInto(line, text);
    item.insertBefore(line, list);
  }
}

/** Put a line into an element, with what stands out in it. */
function spansInto(target, line) {
  if (line.length > LONGEST_LINE) return appendText(target, line);
  let from = 0;
  for (const found of line.matchAll(SPANS)) {
    const made = spanOf(found);
    appendText(target, line.slice(from, found.index));
    target.append(made.node, made.rest);
    from = found.index + found[0].length;
  }
  appendText(target, line.slice(from));
}

function spansIn(tag, text) {
  const made = element(tag);
  spansInto(made, text);
  return made;
}

function spanOf([, code, strong, emphasis, label, address, bare]) {
  if (code) return { node: element("code", { text: code.slice(1, -1) }), rest: "" };
  if (strong) return { node: spansIn("strong", strong), rest: "" };
  if (emphasis) return { node: spansIn("em", emphasis), rest: "" };
  if (label) return { node: link(address, label), rest: "" };
  const end = /[.,;:!?)\]}*]+$/.exec(bare)?.[0] ?? "";
  const shown = bare.slice(0, bare.length - end.length);
  return { node: link(shown, shown), rest: end };
}

/** A link to another site, which doesn't learn where it was followed. */
export function link(address, label) {
  return element("a", { href: address, target: "_blank", rel: "noopener noreferrer nofollow", text: label });
}

function isOrdered(mark) {
  return /^\d/.test(mark);
}
