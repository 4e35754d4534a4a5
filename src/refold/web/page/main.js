// The page: one session, shown as it grows.
//
// Rules of this file:
// - What a patch changes is shown once, when all of the patch is applied.
// - Older items are asked for of the very version that is shown, while the stream waits.

import { element, setText } from "./dom.js";
import { clock } from "./format.js";
import { Header } from "./header.js";
import { Misfit, SessionModel } from "./model.js";
import { Scrolling } from "./scrolling.js";
import { SessionView } from "./session.js";
import { SessionList } from "./sessions.js";
import { Stream } from "./stream.js";

const MOST_ITEMS = 3000;
const NEAR_BEGINNING = 600;

class Page {
  #changed = new Map();
  #ahead = 0;
  #stream = null;
  #view = null;
  #new = 0;

  constructor() {
    this.main = document.getElementById("session");
    this.jump = document.getElementById("jump");
    this.empty = document.getElementById("empty");
    this.header = new Header(this);
    this.scrolling = new Scrolling(this.main, () => this.#showJump(), () => this.#read());
    this.jump.addEventListener("click", () => this.scrolling.toBottom());
    this.list = new SessionList(
      document.getElementById("sessions"), document.getElementById("list"), (number) => this.show(number),
    );
    this.beginning = document.getElementById("beginning");
    new IntersectionObserver(() => this.#read(), { rootMargin: `${NEAR_BEGINNING}px 0px 0px 0px` })
      .observe(this.beginning);
    setInterval(() => this.#tick(), 1000);
    this.list.refresh();
    this.show(this.list.chosen);
  }

  /** Show a session by its number. */
  show(number) {
    this.#stream?.close();
    this.#clear();
    this.url = `/api/session/${number}`;
    this.list.refresh();
    this.#stream = new Stream(`${this.url}/events`, {
      connection: (word) => this.header.connection(word),
      status: (status) => this.#status(status),
      snapshot: (view) => this.#snapshot(view),
      patch: (operations) => this.#patch(operations),
    });
  }

  // --- what rows ask for ---

  /** The server's clock. */
  nowMs() {
    return Date.now() + this.#ahead;
  }

  /** Let a row show another version of its item, when all of the patch is there. */
  change(row, item) {
    this.#changed.set(row, item);
  }

  isChanged(row) {
    return this.#changed.has(row);
  }

  unchange(row) {
    this.#changed.delete(row);
  }

  /** Load the items in front of a model's first; tell whether they came. */
  async loadOlder(model, chain) {
    const stream = this.#stream;
    stream.pause();
    try {
      const asked = new URLSearchParams({ before: model.start, at: stream.shownId });
      for (const id of chain) asked.append("in", id);
      const answer = await fetch(`${this.url}?${asked}`);
      if (answer.status === 409) stream.restart();
      if (!answer.ok || stream !== this.#stream) return false;
      const { start, items } = await answer.json();
      this.scrolling.keeping(firstSeen(), () => model.prepend(start, items));
      return true;
    } catch (error) {
      if (error instanceof Misfit) stream.restart();
      return false;
    } finally {
      stream.resume();
    }
  }

  // --- what the stream tells ---

  #status(status) {
    this.#ahead = status.now_ms - Date.now();
    this.header.status(status);
    setText(this.empty, status.is_reading ? "Reading…" : "Nothing here yet. It appears as soon as it is written.");
  }

  #snapshot(view) {
    this.#clear();
    this.model = new SessionModel(view);
    this.#view = new SessionView(this.model, this);
    this.main.append(this.#view.element);
    this.#framed();
    this.scrolling.toBottom();
  }

  #patch(operations) {
    const before = this.model.length;
    this.model.patch(operations);
    for (const [row, item] of this.#changed) row.update(item);
    this.#changed.clear();
    this.#framed();
    if (this.scrolling.isPinned) this.model.forget(MOST_ITEMS);
    else this.#new += Math.max(0, this.model.length - before);
    this.#showJump();
    this.scrolling.follow();
  }

  #framed() {
    const first = this.model.items.find((item) => item.kind === "user_text");
    const title = this.model.start === 0 ? first?.text.slice(0, 200).replace(/\s+/g, " ").trim() : undefined;
    this.header.frame(this.model.frame, title);
    this.empty.hidden = this.model.length > 0;
    this.#tick();
  }

  #clear() {
    this.#view?.close();
    this.#view = this.model = null;
    this.#changed.clear();
    this.#new = 0;
  }

  // --- the reader ---

  /** Load what is older for a reader near the beginning, wherever that is by now. */
  #read() {
    const isNear = this.beginning.getBoundingClientRect().bottom > -NEAR_BEGINNING;
    if (isNear && !this.scrolling.isPinned) this.#view?.loadOlder();
  }

  #showJump() {
    if (this.scrolling.isPinned) this.#new = 0;
    this.jump.hidden = this.scrolling.isPinned;
    setText(this.jump, this.#new === 0 ? "↓ Latest" : `↓ ${this.#new} new`);
  }

  #tick() {
    this.header.tick();
    for (const each of document.querySelectorAll("[data-since]")) {
      setText(each, clock(this.nowMs() - Number(each.dataset.since)));
    }
  }
}

function firstSeen() {
  const rows = document.querySelectorAll("#session > .session > .items > .row");
  for (const row of rows) if (row.getBoundingClientRect().bottom > 0) return row;
  return null;
}

new Page();
