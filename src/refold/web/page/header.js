// The header: which session, whether it runs, and its figures.
//
// Rules of this file:
// - The clock is the server's: its times are compared with its own `now_ms`.

import { element, setAttribute, setText } from "./dom.js";
import { ago, clock, count } from "./format.js";

const FACTS = ["model", "git_branch", "cwd", "permission_mode", "effort"];

export class Header {
  #frame = {};
  #status = {};
  #connection = "connecting";

  constructor(page) {
    const by = (id) => document.getElementById(id);
    this.page = page;
    this.parts = {
      title: by("title"), state: by("state"), facts: by("facts"), figures: by("figures"),
      connection: by("connection"), trouble: by("trouble"), todos: by("todos"),
    };
    this.clock = element("span", { class: "clock", "data-clock": true, title: "time in tasks" });
    this.context = element("span", { title: "tokens in the model's context" });
    this.tokens = element("span");
    this.quiet = element("span", { class: "faint", "data-clock": true });
    this.parts.figures.replaceChildren(this.clock, this.context, this.tokens, this.quiet);
  }

  connection(word) {
    this.#connection = word;
    this.#show();
  }

  status(status) {
    this.#status = status;
    this.#show();
  }

  frame(frame, title) {
    this.#frame = frame;
    this.title = title;
    this.#show();
  }

  /** Show what changes with the time. */
  tick() {
    const { stats, task_start_local_ms: startMs } = this.#frame;
    if (stats === undefined) return;
    const nowMs = this.page.nowMs();
    const running = startMs === undefined ? 0 : Math.max(0, nowMs - startMs);
    setText(this.clock, clock(stats.session_elapsed_ms + running));
    setText(this.quiet, ago(this.#status.grown_ms, nowMs));
  }

  #show() {
    const { name = "", problem = null, is_reading: isReading, messages = 0, faults = 0 } = this.#status;
    const { stats, task_open: isOpen = false, facts = {}, last_auth_failure_ms: auth } = this.#frame;
    const title = facts.title || this.title || name;
    setText(this.parts.title, title);
    document.title = `${isOpen ? "● " : ""}${title || "refold"}`;
    const state = isReading ? `reading ${messages.toLocaleString("en")}` : isOpen ? "running" : "at rest";
    setText(this.parts.state, state);
    setAttribute(this.parts.state, "data-state", isOpen || isReading ? "running" : "rest");
    setText(this.parts.facts, [name, ...FACTS.map((fact) => facts[fact])].filter(isText).join(" · "));
    setText(this.parts.connection, this.#connection === "live" ? "" : "Not connected; trying again…");
    const lines = faults === 0 ? "" : `${faults} of its lines couldn't be read.`;
    const login = auth === undefined ? "" : "The model refused the credentials.";
    setText(this.parts.trouble, [problem, login, lines].filter(isText).join(" "));
    if (stats !== undefined) this.#showFigures(stats);
    this.#showTodos(facts.todos);
    this.tick();
  }

  #showFigures(stats) {
    const { context_now: context, context_stale: isStale } = stats;
    const total = stats.session_total + stats.subagent_total;
    setText(this.context, context === 0 ? "" : `context ${count(context)}${isStale ? "?" : ""}`);
    setText(this.tokens, total === 0 ? "" : `${count(total)} tokens`);
    setAttribute(this.tokens, "title", `${count(stats.subagent_total)} of them in nested sessions`);
  }

  #showTodos(todos) {
    const list = Array.isArray(todos) ? todos.filter((todo) => isText(todo?.content)) : [];
    this.parts.todos.hidden = list.length === 0;
    const done = list.filter((todo) => todo.status === "completed").length;
    setText(this.parts.todos.firstElementChild, `To do: ${done} of ${list.length}`);
    const lines = list.map((todo) => element("li", { "data-state": todo.status, text: todo.content }));
    this.parts.todos.lastElementChild.replaceChildren(...lines);
  }
}

function isText(value) {
  return typeof value === "string" && value !== "";
}
