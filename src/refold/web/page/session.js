// The rows of one session, and of the sessions nested in it.
//
// Rules of this file:
// - A row for each item, in the model's order; what a change doesn't concern stays as it is.
// - A nested session is shown by whatever started it, and made when it is opened.

import { element, setAttribute, setText } from "./dom.js";
import { plural } from "./format.js";
import { makeRow } from "./rows.js";

export class SessionView {
  #rows = [];
  #holders = new Map();
  #standing = new Set();

  /** Show a model; `chain` are the ids of the sessions it lies under, its own last. */
  constructor(model, page, chain = []) {
    this.model = model;
    this.page = page;
    this.chain = chain;
    this.list = element("div", { class: "items" });
    this.older = element("button", { type: "button", class: "older", click: () => this.loadOlder() });
    this.element = element("div", { class: "session" }, this.older, this.list);
    for (const item of model.items) this.#place(this.#made(item), this.#rows.length);
    this.#count();
    model.observers.add(this);
  }

  /** Stop showing the model. */
  close() {
    this.model.observers.delete(this);
    for (const row of this.#rows) this.#forget(row);
    this.element.remove();
  }

  /** Ask for the items in front of the first one; tell whether some came. */
  async loadOlder() {
    if (this.model.start === 0 || this.isLoading) return false;
    this.isLoading = true;
    setText(this.older, "Loading…");
    try {
      return await this.page.loadOlder(this.model, this.chain);
    } finally {
      this.isLoading = false;
      this.#count();
    }
  }

  // --- what the model tells ---

  inserted(index) {
    this.#place(this.#made(this.model.items[index]), index);
  }

  removed(index) {
    this.#take(index);
  }

  replaced(index) {
    this.#take(index);
    this.inserted(index);
  }

  changed(index) {
    this.page.change(this.#rows[index], this.model.items[index]);
    this.#rehold(index);
  }

  grown(index, field, piece) {
    const item = this.model.items[index];
    const row = this.#rows[index];
    if (this.page.isChanged(row) || !row.grow?.(field, piece, item)) this.page.change(row, item);
  }

  prepended(number) {
    const rows = this.model.items.slice(0, number).map((item) => this.#made(item));
    this.#rows.unshift(...rows);
    this.list.prepend(...rows.map((row) => row.element));
    this.#count();
  }

  forgotten(number) {
    for (const row of this.#rows.splice(0, number)) this.#forget(row);
    this.#count();
  }

  framed() {
    for (const row of this.#standing) row.holder.runs(this.model.frame.task_open);
  }

  nested(id) {
    for (const holder of this.#holders.get(id) ?? []) holder.show(this.model.subagents.get(id));
  }

  // --- rows ---

  #made(item) {
    const id = item.kind === "subagent" ? item.session_id : item.subagent_session_id;
    const holder = id === undefined ? null : this.#held(id);
    const row = makeRow(item, this.page, holder);
    row.holder = holder;
    if (item.kind === "subagent") {
      this.#standing.add(row);
      holder.runs(this.model.frame.task_open);
    }
    return row;
  }

  #held(id) {
    const holder = new Holder(id, this.page, [...this.chain, id], this.model.subagents.get(id));
    if (!this.#holders.has(id)) this.#holders.set(id, new Set());
    this.#holders.get(id).add(holder);
    return holder;
  }

  #place(row, index) {
    this.list.insertBefore(row.element, this.#rows[index]?.element ?? null);
    this.#rows.splice(index, 0, row);
  }

  #take(index) {
    const [row] = this.#rows.splice(index, 1);
    this.#forget(row);
  }

  #forget(row) {
    row.element.remove();
    this.page.unchange(row);
    this.#standing.delete(row);
    if (row.holder === null) return;
    row.holder.close();
    this.#holders.get(row.holder.id)?.delete(row.holder);
  }

  /** Make a card anew that was bound to a session meanwhile. */
  #rehold(index) {
    const item = this.model.items[index];
    if (item.subagent_session_id === this.#rows[index].holder?.id) return;
    if (item.kind === "tool_call") this.replaced(index);
  }

  #count() {
    const { start } = this.model;
    this.older.hidden = start === 0;
    setText(this.older, `Show earlier items (${start.toLocaleString("en")})`);
  }
}

/** A nested session in the row of what started it. */
class Holder {
  #view = null;

  constructor(id, page, chain, model) {
    this.id = id;
    this.page = page;
    this.chain = chain;
    this.label = element("span", { class: "faint" });
    this.place = element("div", { class: "nested-session" });
    const title = element("span", { class: "label", text: "nested session" });
    this.element = element(
      "details",
      { class: "nested", toggle: () => this.#toggled() },
      element("summary", { title: id }, title, this.label),
      this.place,
    );
    this.show(model);
  }

  /** Show another model, or none yet. */
  show(model) {
    this.#leave();
    this.model = model;
    model?.observers.add(this);
    this.framed();
    if (this.element.open) this.#enter();
  }

  close() {
    this.#leave();
  }

  framed() {
    const { frame, length = 0 } = this.model ?? {};
    const parts = [frame?.meta?.agent_id, frame?.meta?.model_id, plural(length, "item")];
    setText(this.label, parts.filter((part) => part).join(" · "));
  }

  /** Show whether it runs: whatever started it knows. */
  runs(isRunning) {
    setAttribute(this.element, "data-state", isRunning ? "running" : null);
  }

  inserted() {
    this.framed();
  }

  removed() {
    this.framed();
  }

  #toggled() {
    if (this.element.open) this.#enter();
    else this.#close();
  }

  #enter() {
    if (this.model === undefined || this.#view !== null) return;
    this.#view = new SessionView(this.model, this.page, this.chain);
    this.place.append(this.#view.element);
    if (this.model.items.length < 20) this.#view.loadOlder();
  }

  #close() {
    this.#view?.close();
    this.#view = null;
  }

  #leave() {
    this.#close();
    this.model?.observers.delete(this);
  }
}
