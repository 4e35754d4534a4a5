// The row of a tool call: what was asked, decided and came out.
//
// Rules of this file:
// - A closed card says what a reader wants to know; what is inside is made when it is opened.
// - What streams grows in place, inside and in the preview.

import { appendText, element, setAttribute, setText, Terminal } from "./dom.js";
import { duration, plural } from "./format.js";
import { clamped, picture, reasonOf } from "./texts.js";

const SUMMARY = 160;
const PREVIEW_LINES = 3;
const PREVIEW = 600;
const LONG_OUTPUT = 60_000;
const TELLING = [
  "command", "cmd", "pattern", "query", "file_path", "path", "notebook_path", "url", "description",
  "prompt", "title", "name", "skill", "subject",
];
const SHELL = /(^|\/)(ba|da|k|z|)sh$/;
const MARKS = { old_string: "removed", old_str: "removed", new_string: "added", new_str: "added" };
const STATES = {
  writing: "is being written", running: "runs", done: "done", failed: "failed", denied: "denied",
  unfinished: "unfinished",
};

export class CardRow {
  #output = null;
  #arguments = null;
  #tail = "";
  #terminal = new Terminal();
  #outputShown = "";

  constructor(item, page, nested) {
    this.page = page;
    this.nested = nested;
    this.dot = element("span", { class: "dot", role: "img" });
    this.name = element("span", { class: "name" });
    this.asked = element("span", { class: "asked", dir: "auto" });
    this.decision = element("span", { class: "badge" });
    this.took = element("span", { class: "took" });
    this.preview = element("span", { class: "preview output" });
    const line = element("span", { class: "line" }, this.dot, this.name, this.asked, this.decision, this.took);
    this.body = element("div", { class: "inside" });
    this.details = element(
      "details", { toggle: () => this.#toggled() }, element("summary", {}, line, this.preview), this.body,
    );
    this.element = element("article", { class: "row card" }, this.details);
    if (nested !== null) this.element.append(nested.element);
    this.update(item);
  }

  update(item) {
    this.item = item;
    const state = stateOf(item);
    setAttribute(this.element, "aria-label", `Tool ${item.name}`);
    setAttribute(this.element, "data-state", state);
    setAttribute(this.dot, "aria-label", STATES[state]);
    setAttribute(this.dot, "title", STATES[state]);
    setText(this.name, nameOf(item.name));
    setText(this.asked, askedOf(item));
    setText(this.decision, decisionOf(item));
    this.nested?.runs(state === "running");
    this.#tookOf(item, state);
    this.#resetOutput(item);
    if (this.details.open) this.#fill();
  }

  grow(field, piece, item) {
    this.item = item;
    if (field === "output") this.#growOutput(piece);
    else if (field === "arguments_text") this.#growArguments(piece);
    else return false;
    return true;
  }

  #tookOf(item, state) {
    const runs = state === "running" && item.call_started_at_ms !== undefined;
    const since = runs ? (item.approval_at_ms ?? item.call_started_at_ms) : null;
    setAttribute(this.took, "data-since", since);
    if (!runs) setText(this.took, duration(item.duration_ms));
  }

  #resetOutput(item) {
    const outcome = item.output_complete ? "whole" : "part";
    if (item.output === this.#outputShown && this.outcome === outcome) return;
    this.outcome = outcome;
    this.#outputShown = item.output;
    this.#terminal = new Terminal();
    const text = this.#terminal.take(item.output);
    this.#tail = text.slice(-PREVIEW);
    if (item.output_complete) setText(this.preview, firstLines(text));
    else this.#previewTail();
  }

  #growOutput(piece) {
    this.#outputShown = this.item.output;
    const text = this.#terminal.take(piece);
    this.#tail = (this.#tail + text).slice(-PREVIEW);
    this.#previewTail();
    this.#output?.append(text);
  }

  #previewTail() {
    setText(this.preview, this.#tail.trimEnd().split("\n").slice(-PREVIEW_LINES).join("\n"));
  }

  #growArguments(piece) {
    if (this.asked.textContent.length < SUMMARY) setText(this.asked, askedOf(this.item));
    if (this.#arguments !== null) appendText(this.#arguments, piece);
  }

  #toggled() {
    if (this.details.open) this.#fill();
    else this.#empty();
  }

  #empty() {
    this.body.replaceChildren();
    this.#output = this.#arguments = null;
  }

  #fill() {
    this.#empty();
    const { item } = this;
    const parts = [this.#argumentsPart(item), this.#outputPart(item)];
    this.body.append(...parts.filter((part) => part !== null));
    this.body.append(...(item.images ?? []).map(picture));
  }

  #argumentsPart(item) {
    const parsed = item.call_complete ? parsedObject(item.arguments_text) : null;
    if (parsed !== null) return Object.keys(parsed).length === 0 ? null : argumentList(parsed);
    if (item.arguments_text === "" && item.call_complete) return null;
    this.#arguments = element("pre", { tabindex: "0", text: item.arguments_text });
    return this.#arguments;
  }

  #outputPart(item) {
    if (item.output === "" && item.output_complete) return element("p", { class: "faint", text: "No output" });
    if (item.output === "" && !item.output_streaming && !item.call_complete) return null;
    this.#output = new Output();
    this.#output.append(new Terminal().take(item.output));
    return this.#output.element;
  }
}

/** What a tool printed; of much, the beginning until somebody asks for the rest. */
class Output {
  #hidden = [];
  #size = 0;
  #isAll = false;

  constructor() {
    this.text = element("pre", { class: "output", tabindex: "0", "aria-label": "Output" });
    this.more = element("button", { type: "button", class: "more", hidden: true, click: () => this.#showAll() });
    this.element = element("div", {}, this.text, this.more);
  }

  append(text) {
    const room = this.#isAll ? text.length : Math.max(0, LONG_OUTPUT - this.#size);
    this.#size += text.length;
    appendText(this.text, text.slice(0, room));
    if (room >= text.length) return;
    this.#hidden.push(text.slice(room));
    this.more.hidden = false;
    setText(this.more, `Show all (${plural(this.#size, "character")})`);
  }

  #showAll() {
    this.#isAll = true;
    appendText(this.text, this.#hidden.join(""));
    this.#hidden = [];
    this.more.hidden = true;
  }
}

/** Where a call stands, as one word. */
function stateOf(item) {
  if (item.decision === "deny" || item.decision === "forbidden") return "denied";
  if (item.output_complete) return reasonOf(item.output_stop_reason) === "" ? "done" : "failed";
  if (item.call_streaming) return "writing";
  return item.call_complete || item.output_streaming ? "running" : "unfinished";
}

function decisionOf(item) {
  const reason = reasonOf(item.output_stop_reason) || reasonOf(item.call_stop_reason);
  return [item.decision, reason].filter((each) => each).join(" · ");
}

/** A tool of an MCP server is named with its server. */
function nameOf(name) {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return tool === undefined ? name || "tool" : `${server} · ${tool}`;
}

/** What was asked, in one line. */
function askedOf(item) {
  const parsed = item.call_complete ? parsedObject(item.arguments_text) : null;
  if (parsed === null) return oneLine(item.arguments_text.slice(0, 2 * SUMMARY));
  const texts = Object.entries(parsed).map(([name, value]) => [name, told(value)]).filter(([, text]) => text !== "");
  const named = TELLING.map((name) => texts.find(([each]) => each === name)).find((each) => each);
  return oneLine(named?.[1] ?? texts[0]?.[1] ?? "");
}

/** A text, or a list of texts as the command line it mostly is, without the shell that only runs it. */
function told(value) {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || !value.every((each) => typeof each === "string")) return "";
  const [program, flag, script] = value;
  const isWrapped = value.length === 3 && SHELL.test(program) && /^-[il]*c$/.test(flag);
  return isWrapped ? script : value.join(" ");
}

function oneLine(text) {
  const line = text.slice(0, 4 * SUMMARY).replace(/\s+/g, " ").trim();
  return line.length > SUMMARY ? `${line.slice(0, SUMMARY)}…` : line;
}

function firstLines(text) {
  const lines = text.slice(0, PREVIEW).split("\n").filter((line) => line.trim() !== "");
  return lines.slice(0, PREVIEW_LINES).join("\n");
}

function parsedObject(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function argumentList(parsed) {
  const list = element("dl", { class: "arguments" });
  for (const [name, value] of Object.entries(parsed)) {
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 1);
    const shown = clamped(text);
    shown.classList.add("value");
    setAttribute(shown, "data-mark", MARKS[name] ?? null);
    list.append(element("dt", { text: name }), element("dd", {}, shown));
  }
  return list;
}
