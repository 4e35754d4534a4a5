// The page's scroll position.
//
// Rules of this file:
// - Who is at the bottom stays there while the page grows; who scrolled up is left alone.
// - What comes in front of what is being read doesn't move it.

const NEAR = 48;

export class Scrolling {
  #last = 0;

  /** `onPinned` is told when the reader leaves the bottom or comes back, `onRead` of any move. */
  constructor(content, onPinned, onRead) {
    this.isPinned = true;
    this.onPinned = onPinned;
    this.onRead = onRead;
    window.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.follow()).observe(content);
  }

  get #page() {
    return document.scrollingElement;
  }

  /** Go to the bottom and stay there. */
  toBottom() {
    this.#pin(true);
    this.#stick();
  }

  /** Stay at the bottom, for whoever is there. */
  follow() {
    this.#notice();
    if (this.isPinned) this.#stick();
  }

  #stick() {
    this.#page.scrollTop = this.#page.scrollHeight;
    this.#last = this.#page.scrollTop;
  }

  /** Do something that changes what stands in front, and keep an element where it is seen. */
  keeping(anchor, change) {
    const before = anchor?.getBoundingClientRect().top;
    change();
    if (this.isPinned) this.follow();
    else if (anchor?.isConnected) window.scrollBy(0, anchor.getBoundingClientRect().top - before);
    this.#last = this.#page.scrollTop;
  }

  #scrolled() {
    this.#notice();
    this.onRead();
  }

  /** See where the reader is; the browser tells of a move only with its next frame. */
  #notice() {
    const { scrollTop, scrollHeight, clientHeight } = this.#page;
    const isAtBottom = scrollHeight - scrollTop - clientHeight < NEAR;
    // Only the reader scrolls up; a page that grew moves the bottom away from under it.
    if (isAtBottom) this.#pin(true);
    else if (scrollTop < this.#last - 1) this.#pin(false);
    this.#last = scrollTop;
  }

  #pin(isPinned) {
    if (this.isPinned === isPinned) return;
    this.isPinned = isPinned;
    this.onPinned(isPinned);
  }
}
