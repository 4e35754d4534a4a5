// The event stream of one session: from its beginning, or from where it was left.
//
// Rules of this file:
// - The browser comes back by itself with the last event id; what it gives up is begun again here.
// - A page that nobody sees lets go of its stream: browsers allow few per host, and the next one
//   goes on from where this one was left.
// - While it is paused, what comes waits in order.

const AGAIN_MS = 2000;

export class Stream {
  #source = null;
  #lastId = null;
  #paused = 0;
  #waiting = [];
  #timer = null;
  #isClosed = false;

  /** `on` has `status(json)`, `snapshot(json, id)`, `patch(operations, id)`, `connection(word)`. */
  constructor(url, on) {
    this.url = url;
    this.on = on;
    this.seen = () => this.#seen();
    document.addEventListener("visibilitychange", this.seen);
    window.addEventListener("pageshow", this.seen);
    window.addEventListener("pagehide", this.seen);
    this.#seen();
  }

  /** The event id of the version that is shown; what waits doesn't count. */
  shownId = null;

  close() {
    this.#isClosed = true;
    this.#leave();
    document.removeEventListener("visibilitychange", this.seen);
    window.removeEventListener("pageshow", this.seen);
    window.removeEventListener("pagehide", this.seen);
  }

  /** Begin anew, with a snapshot. */
  restart() {
    this.#leave();
    this.#lastId = this.shownId = null;
    this.#waiting = [];
    this.#enter();
  }

  pause() {
    this.#paused += 1;
  }

  resume() {
    this.#paused -= 1;
    const waiting = this.#paused === 0 ? this.#waiting.splice(0) : [];
    for (const tell of waiting) tell();
  }

  #seen() {
    if (document.hidden) this.#leave();
    else if (this.#source === null) this.#enter();
  }

  #leave() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #enter() {
    if (this.#isClosed || document.hidden) return;
    const after = this.#lastId === null ? "" : `?after=${encodeURIComponent(this.#lastId)}`;
    const source = new EventSource(this.url + after);
    this.#source = source;
    source.onopen = () => this.on.connection("live");
    source.onerror = () => this.#failed(source);
    this.#listen(source, "status", (data) => this.on.status(data));
    this.#listen(source, "snapshot", (data, id) => this.#shown(id, () => this.on.snapshot(data, id)));
    this.#listen(source, "patch", (data, id) => this.#shown(id, () => this.on.patch(data, id)));
  }

  #listen(source, name, take) {
    source.addEventListener(name, (event) => {
      if (source !== this.#source) return;
      if (name !== "status") this.#lastId = event.lastEventId;
      const tell = () => take(JSON.parse(event.data), event.lastEventId);
      if (this.#paused > 0) this.#waiting.push(tell);
      else tell();
    });
  }

  #shown(id, show) {
    this.shownId = id;
    try {
      show();
    } catch (error) {
      console.error(error);
      if (this.#waiting.length === 0) this.#timer = setTimeout(() => this.restart(), AGAIN_MS);
    }
  }

  #failed(source) {
    if (source !== this.#source) return;
    this.on.connection("connecting");
    if (source.readyState !== EventSource.CLOSED) return;
    this.#leave();
    this.#timer = setTimeout(() => this.#enter(), AGAIN_MS);
  }
}
