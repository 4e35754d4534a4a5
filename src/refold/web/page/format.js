// Numbers and times as people read them.
//
// Rules of this file:
// - Durations come in milliseconds, times in Unix milliseconds; what is unknown is an empty text.

/** 850 ms, 3.2 s, 1 m 05 s, 2 h 03 m, 3 d 4 h. */
export function duration(ms) {
  if (ms === undefined || ms === null) return "";
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} m`;
  return `${Math.floor(minutes / 1440)} d ${Math.floor((minutes % 1440) / 60)} h`;
}

/** A clock that runs: 0:07, 12:03, 1:02:03. */
export function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = `${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** 950, 12.4k, 3.10M. */
export function count(value) {
  if (value === undefined || value === null) return "";
  const size = Math.abs(value);
  if (size < 1000) return `${value}`;
  if (size < 99_950) return `${(value / 1000).toFixed(1)}k`;
  if (size < 999_500) return `${Math.round(value / 1000)}k`;
  return `${(value / 1_000_000).toFixed(size < 99_500_000 ? 2 : 0)}M`;
}

/** A count with its sign. */
export function signed(value) {
  return value < 0 ? `−${count(-value)}` : `+${count(value)}`;
}

/** The time of day, with the date unless it is today. */
export function time(ms, nowMs) {
  if (!isTime(ms)) return "";
  const then = new Date(ms);
  const hour = then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  if (then.toDateString() === new Date(nowMs).toDateString()) return hour;
  return `${then.toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" })}, ${hour}`;
}

/** A time in full, for whoever asks. */
export function fullTime(ms) {
  return isTime(ms) ? new Date(ms).toISOString() : "";
}

/** "just now", "4 m ago", "3 d ago". */
export function ago(ms, nowMs) {
  if (!isTime(ms)) return "";
  const seconds = Math.floor((nowMs - ms) / 1000);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

/** "1 item", "3 items". */
export function plural(number, word) {
  return `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
}

function two(number) {
  return String(number).padStart(2, "0");
}

const YEAR_MS = 365 * 86_400_000;

/** Whether it is a time that a calendar has: one of 1970 counts from a recording's own start. */
function isTime(ms) {
  return typeof ms === "number" && Math.abs(ms) <= 8.64e15 && !(ms >= 0 && ms < YEAR_MS);
}
