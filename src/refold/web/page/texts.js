// Rows of what is said: the user, the assistant, thinking.
//
// Rules of this file:
// - A row is made of an item, updated by its later versions, and may take a growing text itself.
// - What a row shows follows from its item alone, never from how it came about.

import { appendText, element, setAttribute, setText } from "./dom.js";
import { duration, fullTime, time } from "./format.js";
import { Prose, link } from "./prose.js";

const LONG_TEXT = 3000;
const LONG_LINES = 30;
const PREVIEW = 160;

/** A row's time, where it has one. */
export function timeOf(ms, nowMs) {
  if (ms === undefined) return null;
  return element("time", { datetime: fullTime(ms), title: fullTime(ms), text: time(ms, nowMs) });
}

/** A picture from a data URL; one on another host is only named. */
export function picture(address) {
  if (/^data:image\//i.test(address)) return element("img", { src: address, alt: "image", loading: "lazy" });
  return /^https?:\/\//i.test(address) ? link(address, address) : element("span", { text: "image" });
}

export class UserRow {
  constructor(item, page) {
    const body = element("div", { class: "said", dir: "auto" });
    this.element = element("article", { class: "row user", "aria-label": "User" }, body);
    this.body = body;
    this.page = page;
    this.update(item);
  }

  update(item) {
    const nowMs = this.page.nowMs();
    const images = item.kind === "user_image" ? [item.image_url] : (item.images ?? []);
    const head = item.kind === "user_steering" ? element("span", { class: "label", text: "steering" }) : null;
    const text = item.text ? clamped(item.text) : null;
    this.body.replaceChildren(
      ...[timeOf(item.at_ms, nowMs), head, text, ...images.map(picture)].filter((each) => each !== null),
    );
  }
}

/** A text; of a long one the beginning, and a button for the rest. */
export function clamped(text) {
  const body = element("div", { class: "plain" });
  const lines = text.split("\n", LONG_LINES + 1);
  if (text.length <= LONG_TEXT && lines.length <= LONG_LINES) {
    body.textContent = text;
    return body;
  }
  const shown = lines.slice(0, LONG_LINES).join("\n").slice(0, LONG_TEXT);
  body.textContent = `${shown}…`;
  const more = element("button", {
    type: "button",
    class: "more",
    text: `Show all (${text.length.toLocaleString("en")} characters)`,
    click: () => {
      body.textContent = text;
      more.remove();
    },
  });
  return element("div", {}, body, more);
}

export class AssistantRow {
  #text = "";
  #isStreaming = true;

  constructor(item) {
    const body = element("div", { class: "prose", dir: "auto" });
    this.note = element("span", { class: "reason" });
    this.element = element("article", { class: "row assistant", "aria-label": "Assistant" }, body, this.note);
    this.prose = new Prose(body);
    this.update(item);
  }

  update(item) {
    if (item.text !== this.#text || (item.streaming && !this.#isStreaming)) this.prose.reset(item.text);
    if (!item.streaming) this.prose.finish();
    this.#text = item.text;
    this.#isStreaming = item.streaming;
    setAttribute(this.element, "data-streaming", item.streaming ? "" : null);
    setText(this.note, reasonOf(item.stop_reason));
  }

  grow(field, piece, item) {
    if (field !== "text" || !this.#isStreaming) return false;
    this.#text = item.text;
    this.prose.append(piece);
    return true;
  }
}

export class ThinkingRow {
  #shown = "";

  constructor(item) {
    this.label = element("span", { class: "label" });
    this.preview = element("span", { class: "preview", dir: "auto" });
    this.body = element("div", { class: "plain", dir: "auto" });
    const summary = element("summary", {}, this.label, this.preview);
    this.details = element("details", {}, summary, this.body);
    this.element = element("article", { class: "row thinking", "aria-label": "Thinking" }, this.details);
    this.update(item);
  }

  update(item) {
    const verb = item.streaming ? "Thinking" : "Thought";
    const took = item.duration_ms === undefined ? "" : ` for ${duration(item.duration_ms)}`;
    const reason = reasonOf(item.stop_reason);
    setText(this.label, `${verb}${took}${reason && ` · ${reason}`}`);
    setAttribute(this.element, "data-streaming", item.streaming ? "" : null);
    if (item.thinking !== this.#shown) setText(this.body, item.thinking);
    this.#shown = item.thinking;
    this.#preview(item.thinking.slice(0, 2 * PREVIEW));
  }

  grow(field, piece, item) {
    if (field !== "thinking") return false;
    this.#shown = item.thinking;
    appendText(this.body, piece);
    const known = this.preview.textContent;
    if (known.length < PREVIEW) this.#preview(item.thinking.slice(0, 2 * PREVIEW));
    return true;
  }

  #preview(beginning) {
    setText(this.preview, beginning.replace(/[\s*#`]+/g, " ").trim().slice(0, PREVIEW));
  }
}

/** Why something ended, where it didn't just complete. */
export function reasonOf(reason) {
  return reason === undefined || reason === "completed" ? "" : reason;
}
