// The list of all sessions that are served, if there are several.
//
// Rules of this file:
// - It is asked for now and then, while somebody looks.

import { element, setAttribute, setText } from "./dom.js";
import { ago, plural } from "./format.js";

const EVERY_MS = 2500;

export class SessionList {
  #links = [];
  #chosen = 0;

  constructor(target, toggle, onChosen) {
    this.target = target;
    this.toggle = toggle;
    toggle.addEventListener("click", () => this.#open(toggle.getAttribute("aria-expanded") !== "true"));
    target.addEventListener("click", () => this.#open(false));
    window.addEventListener("hashchange", () => this.#moved(onChosen));
    setInterval(() => this.refresh(), EVERY_MS);
  }

  /** The number of the session that the address names. */
  get chosen() {
    const found = /^#s(\d{1,6})$/.exec(location.hash);
    if (found !== null) this.#chosen = Math.max(0, Number(found[1]) - 1);
    return this.#chosen;
  }

  #moved(onChosen) {
    const before = this.#chosen;
    if (this.chosen !== before) onChosen(this.chosen);
  }

  async refresh() {
    if (document.hidden) return;
    try {
      const answer = await fetch("/api/sessions");
      if (answer.ok) this.#show(await answer.json());
    } catch {
      // The stream says that nobody is there.
    }
  }

  #show(sessions) {
    document.body.classList.toggle("several", sessions.length > 1);
    while (this.#links.length < sessions.length) this.#add(this.#links.length);
    sessions.forEach((session, number) => this.#update(this.#links[number], session, number));
  }

  #add(number) {
    const link = element("a", { href: `#s${number + 1}`, dir: "auto" });
    link.append(element("span", { class: "dot" }), element("span", { class: "title" }), element("span", { class: "faint" }));
    this.#links.push(link);
    this.target.append(link);
  }

  #update(link, session, number) {
    const [dot, title, more] = link.children;
    const state = session.problem !== null ? "failed" : session.task_open ? "running" : "done";
    setAttribute(dot, "data-state", state);
    setText(title, session.title ?? session.name);
    const parts = [session.title && session.name, plural(session.items, "item"), ago(session.grown_ms, session.now_ms)];
    setText(more, parts.filter((part) => part).join(" · "));
    setAttribute(link, "aria-current", number === this.chosen ? "page" : null);
  }

  #open(isOpen) {
    this.toggle.setAttribute("aria-expanded", isOpen);
    document.body.classList.toggle("listing", isOpen);
  }
}
