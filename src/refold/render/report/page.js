// Rules of this file: the page is whole without it. It widens the time line, opens what a link leads
// to, and folds. It makes no markup of the trace's texts: what it shows, it sets as text.
"use strict";
(() => {
  const WIDTH = 1e6;
  const STEPS = [1, 10, 100].flatMap((unit) => [unit, 2 * unit, 5 * unit])
    .concat([1, 2, 5, 10, 20, 30].map((n) => n * 1e3), [1, 2, 5, 10, 20, 30].map((n) => n * 6e4))
    .concat([1, 2, 3, 6, 12].map((n) => n * 36e5), [1, 2, 5, 10, 20, 50, 100, 1e3, 1e4, 1e6].map((n) => n * 864e5));
  const ROOM = 90;

  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    made.textContent = text;
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    return made;
  };
  const button = (text, words, act) => {
    const made = make("button", text, { type: "button", "aria-label": words, title: words });
    made.addEventListener("click", act);
    return made;
  };
  const lasting = (ms) => {
    const two = (n) => String(Math.floor(n)).padStart(2, "0");
    if (ms < 1e3) return `${Math.round(ms)} ms`;
    if (ms < 6e4) return `${+(ms / 1e3).toFixed(3)} s`;
    if (ms < 36e5) return `${Math.floor(ms / 6e4)} min ${two((ms % 6e4) / 1e3)} s`;
    if (ms < 864e5) return `${Math.floor(ms / 36e5)} h ${two((ms % 36e5) / 6e4)} min`;
    return `${Math.floor(ms / 864e5)} d ${two((ms % 864e5) / 36e5)} h`;
  };

  // --- time line ---

  const zoomable = (scroller) => {
    const track = scroller.querySelector(".track");
    const drawing = track.querySelector(".lane > svg");
    const axis = track.querySelector("svg.axis");
    const pieces = JSON.parse(track.dataset.pieces);
    const readout = make("span", "", { class: "readout" });
    let zoom = 1;

    const shown = () => drawing.getBoundingClientRect();
    const most = () => Math.max(1, 1e6 / scroller.clientWidth);
    const placeAt = (clientX) => Math.min(1, Math.max(0, (clientX - shown().left) / shown().width));
    const msAt = (share) => {
      const x = share * WIDTH;
      const piece = pieces.find((each) => x <= each[3]) || pieces[pieces.length - 1];
      return piece[0] + ((x - piece[2]) / Math.max(1, piece[3] - piece[2])) * (piece[1] - piece[0]);
    };
    const middle = () => scroller.getBoundingClientRect().left + scroller.clientWidth / 2;

    const ticks = () => {
      if (!axis || !pieces.length) return;
      const width = shown().width;
      const frame = scroller.getBoundingClientRect();
      const [left, right] = [frame.left, frame.right].map((x) => ((x - shown().left) / width) * WIDTH);
      const begin = pieces[0][0];
      const marks = [];
      for (const [from, to, x, end, pause] of pieces) {
        if (pause || end < left || x > right) continue;
        const perMs = ((end - x) * width) / WIDTH / (to - from);
        const step = STEPS.find((each) => each * perMs >= ROOM) || STEPS[STEPS.length - 1];
        const first = Math.max(from, from + ((left - x) / (end - x)) * (to - from)) - begin;
        for (let at = Math.ceil(first / step) * step; at <= to - begin && marks.length < 60; at += step) {
          const place = x + ((at + begin - from) / (to - from)) * (end - x);
          if (place > right - (ROOM / 2 / width) * WIDTH) break;
          if (!marks.length || ((place - marks[marks.length - 1][0]) * width) / WIDTH >= ROOM / 2) marks.push([place, at]);
        }
      }
      axis.replaceChildren(...marks.map(([place, at]) => {
        const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
        text.setAttribute("x", `${(place / WIDTH) * 100}%`);
        text.setAttribute("y", "12");
        text.textContent = lasting(at);
        return text;
      }));
    };

    const zoomTo = (wanted, clientX = middle()) => {
      const share = placeAt(clientX);
      zoom = Math.min(most(), Math.max(1, wanted));
      track.style.width = zoom === 1 ? "" : `${zoom * 100}%`;
      scroller.scrollLeft += shown().left + share * shown().width - clientX;
      ticks();
    };
    const say = (target, clientX) => {
      const bar = target && target.closest("a, g");
      const title = bar && bar.querySelector("title");
      const at = clientX !== undefined && pieces.length ? msAt(placeAt(clientX)) : undefined;
      const when = at === undefined ? "" : `${new Date(at).toISOString().slice(11, 23)} · +${lasting(at - pieces[0][0])}`;
      readout.textContent = [when, title ? title.textContent : ""].filter(Boolean).join(" · ");
    };

    // Arrows go from bar to bar: along a lane, or to the nearest one of the next.
    const bars = () => all("a", track);
    const lefts = (bar) => bar.getBoundingClientRect().left;
    const step = (bar, key) => {
      const lane = bar.closest(".lane");
      const own = all("a", lane).sort((one, other) => lefts(one) - lefts(other));
      if (key === "ArrowLeft" || key === "ArrowRight") return own[own.indexOf(bar) + (key === "ArrowRight" ? 1 : -1)];
      const lanes = all(".lane", track).filter((each) => each.querySelector("a"));
      const next = lanes[lanes.indexOf(lane) + (key === "ArrowDown" ? 1 : -1)];
      if (!next) return undefined;
      const far = (each) => Math.abs(lefts(each) - lefts(bar));
      return all("a", next).reduce((best, each) => (far(each) < far(best) ? each : best));
    };
    const focus = (bar) => {
      if (!bar) return;
      bar.focus({ preventScroll: true });
      bar.scrollIntoView({ block: "nearest", inline: "nearest" });
      say(bar);
    };

    const keys = {
      "+": () => zoomTo(zoom * 2), "=": () => zoomTo(zoom * 2), "-": () => zoomTo(zoom / 2), 0: () => zoomTo(1),
      Escape: () => scroller.focus(),
    };
    scroller.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const bar = event.target.closest("a");
      if (keys[event.key]) keys[event.key]();
      else if (bar && event.key.startsWith("Arrow")) focus(step(bar, event.key));
      else if (!bar && event.key === "Enter") {
        const edge = scroller.getBoundingClientRect().left;
        focus(bars().find((each) => lefts(each) >= edge) || bars()[0]);
      } else return;
      event.preventDefault();
    });
    scroller.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomTo(zoom * 2 ** (-event.deltaY / 100), event.clientX);
    }, { passive: false });
    scroller.addEventListener("dblclick", (event) => zoomTo(zoom * (event.shiftKey ? 0.5 : 2), event.clientX));

    const fingers = new Map();
    const spread = () => {
      const [one, other] = [...fingers.values()];
      return Math.max(1, Math.abs(one - other));
    };
    scroller.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") fingers.set(event.pointerId, event.clientX);
    });
    scroller.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return say(event.target, event.clientX);
      const before = fingers.size === 2 ? spread() : 0;
      fingers.set(event.pointerId, event.clientX);
      const [one, other] = [...fingers.values()];
      if (before) zoomTo((zoom * spread()) / before, (one + other) / 2);
      return undefined;
    });
    ["pointerup", "pointercancel", "pointerleave"].forEach((name) =>
      scroller.addEventListener(name, (event) => fingers.delete(event.pointerId)));
    let due = 0;
    scroller.addEventListener("scroll", () => {
      cancelAnimationFrame(due);
      due = requestAnimationFrame(ticks);
    }, { passive: true });
    window.addEventListener("resize", ticks);

    const tools = make("div", "", { class: "zoom" });
    tools.append(
      button("−", "Zoom out", () => zoomTo(zoom / 2)),
      button("+", "Zoom in", () => zoomTo(zoom * 2)),
      button("All", "Show all of the time line", () => zoomTo(1)),
      readout,
    );
    scroller.parentElement.before(tools);
    ticks();
  };

  // --- folds ---

  const reveal = () => {
    const found = document.getElementById(location.hash.slice(1));
    if (!found) return;
    for (let each = found; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
    const own = found.querySelector(":scope > details");
    if (own) own.open = true;
    // What comes into view gets its true height only then, and pushes the rest away.
    const scroll = (times) => {
      found.scrollIntoView({ block: found.closest(".lane") ? "nearest" : "start", inline: "center" });
      if (times) requestAnimationFrame(() => scroll(times - 1));
    };
    scroll(4);
  };

  const folds = () => all("#transcript details");
  const foldable = () => {
    const heading = document.querySelector("#transcript > h2");
    if (!folds().length || !heading) return;
    const tools = make("div", "", { class: "zoom" });
    const fold = (open) => () => folds().forEach((each) => { each.open = open; });
    tools.append(button("Open all", "Open all folds", fold(true)), button("Fold all", "Fold all", fold(false)));
    heading.after(tools);
  };

  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    folded.forEach((each) => { each.open = true; });
  });
  window.addEventListener("afterprint", () => folded.forEach((each) => { each.open = false; }));

  all(".scroller").forEach(zoomable);
  foldable();
  window.addEventListener("hashchange", reveal);
  if (location.hash) reveal();
})();
