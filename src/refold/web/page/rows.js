// The rows of everything that is neither said nor a tool call, and the table of all kinds.
//
// Rules of this file:
// - One function per kind makes what a row shows; it is made anew when its item changes.
// - A kind that isn't known is shown by its name.

import { CardRow } from "./card.js";
import { element, setAttribute } from "./dom.js";
import { count, duration, plural, signed } from "./format.js";
import { AssistantRow, ThinkingRow, UserRow, clamped, reasonOf, timeOf } from "./texts.js";

const SHOWN = {
  abort: (item) => [says("Interrupted", item.reason)],
  reconnect,
  compaction,
  mcp_connect: mcpConnect,
  notice,
  task_stats: taskStats,
};
const ROWS = {
  user_text: UserRow,
  user_steering: UserRow,
  user_image: UserRow,
  assistant_text: AssistantRow,
  thinking: ThinkingRow,
  tool_call: CardRow,
};

/** Make the row of an item; `nested` shows its nested session, if it has one. */
export function makeRow(item, page, nested) {
  return new (ROWS[item.kind] ?? PlainRow)(item, page, nested);
}

class PlainRow {
  constructor(item, page, nested) {
    this.element = element("article", { class: "row" });
    this.page = page;
    this.nested = nested;
    this.update(item);
  }

  update(item) {
    const parts = SHOWN[item.kind]?.(item, this.page) ?? (this.nested === null ? [says(item.kind)] : []);
    this.element.className = `row ${SHOWN[item.kind] ? item.kind.replaceAll("_", "-") : "other"}`;
    setAttribute(this.element, "data-state", stateOf(item));
    const shown = this.nested === null ? parts : [...parts, this.nested.element];
    this.element.replaceChildren(...shown.filter((each) => each));
  }
}

function stateOf(item) {
  if (item.kind === "reconnect") return item.gave_up ? "failed" : item.retrying ? "done" : "running";
  if (item.running) return "running";
  return item.failed?.length || item.aborted || reasonOf(item.status) ? "failed" : null;
}

function reconnect(item) {
  const wait = item.planned_delay_ms === undefined ? "" : ` in ${duration(item.planned_delay_ms)}`;
  const next = item.gave_up ? "given up" : item.retrying ? "tried again" : `next try${wait}`;
  return [says(`Request failed: ${item.status}`, `attempt ${item.attempt}, ${next}`)];
}

function compaction(item) {
  const said = item.running ? "Compacting the context" : "Context compacted";
  const figures = [item.reason, item.mode, duration(item.duration_ms), reasonOf(item.status), item.error_message];
  const line = says(item.status && item.status !== "completed" ? "Compaction ended" : said, joined(figures));
  if (!item.summary_text) return [line];
  return [folded([line], element("div", { class: "plain", dir: "auto", text: item.summary_text }))];
}

function mcpConnect(item) {
  const said = item.running ? "Connecting to" : "Connected to";
  const figures = [
    item.tool_count === undefined ? "" : plural(item.tool_count, "tool"),
    duration(item.duration_ms),
    item.failed?.length ? `failed: ${item.failed.join(", ")}` : "",
    item.aborted ? "aborted" : "",
  ];
  const line = says(`${said} ${item.servers.join(", ") || "MCP servers"}`, joined(figures));
  const results = item.results ?? [];
  if (results.length === 0) return [line];
  return [folded([line], element("ul", {}, ...results.map((each) => element("li", { text: resultOf(each) }))))];
}

function resultOf(result) {
  const tools = result.tools === undefined ? "" : plural(result.tools, "tool");
  return joined([result.server, result.status, tools, duration(result.duration_ms), result.error]);
}

function notice(item, page) {
  const name = element("span", { class: "label", text: item.name.replaceAll("_", " ") });
  const text = item.text ? clamped(item.text) : null;
  text?.setAttribute("dir", "auto");
  const time = timeOf(item.at_ms, page.nowMs());
  if (item.data === undefined) return [name, text, time];
  const data = element("pre", { tabindex: "0", text: JSON.stringify(item.data, null, 1) });
  return [folded([name, time], data), text];
}

function taskStats(item, page) {
  const stats = item.stats;
  const figures = stats === undefined ? [] : figuresOf(stats);
  const shown = figures.map(([text, title]) => element("span", { text, title }));
  return [element("span", { class: "figures" }, ...shown), timeOf(item.at_ms, page.nowMs())];
}

function figuresOf(stats) {
  const { cache_read: read, cache_write: write, output } = stats.tokens_by_bucket;
  const buckets = `${count(output)} generated, ${count(read)} read from the cache, ${count(write)} written to it`;
  return [
    [duration(stats.elapsed_delta_ms), `${duration(stats.elapsed_ms)} in the session so far`],
    [`${signed(stats.tokens_delta)} tokens`, `${buckets}; ${count(stats.tokens)} in the session so far`],
    [`context ${count(stats.context)}`, `${signed(stats.context_delta)} since the task before`],
    ...(stats.output_tps === undefined
      ? []
      : [[`${stats.output_tps.toFixed(1)} tok/s`, "tokens generated per second of the model's time"]]),
  ];
}

/** A line: what happened, and what is to be said of it. */
function says(what, more) {
  const rest = more ? element("span", { class: "faint", text: more }) : null;
  return element("span", { class: "says" }, element("span", { text: what }), rest);
}

function folded(line, body) {
  const head = line.filter((each) => each);
  return element("details", {}, element("summary", {}, ...head), element("div", { class: "inside" }, body));
}

function joined(parts) {
  return parts.filter((part) => part).join(" · ");
}
