// A session's view as the server tells it, and patches to it.
//
// Rules of this file:
// - Paths and operations are those of refold's `diff`: RFC 6902, and `append` for texts that grow.
// - The model may hold the end of a session's items only: `start` items stand in front of them.
//   Indices in patches count all items; what happens in front of `start` only moves it.
// - Who observes is told of each change as it happens. Nothing here knows a document or a network.

/** A patch that doesn't fit what is here: the whole must be asked for again. */
export class Misfit extends Error {}

export class SessionModel {
  constructor(view) {
    const { start = 0, items = [], subagents = {}, ...frame } = view;
    this.start = start;
    this.items = items;
    this.frame = frame;
    this.subagents = new Map(Object.entries(subagents).map(([id, each]) => [id, new SessionModel(each)]));
    this.observers = new Set();
  }

  /** How many items the session has, those in front of `start` included. */
  get length() {
    return this.start + this.items.length;
  }

  /** Apply the operations of one patch, in order. */
  patch(operations) {
    for (const operation of operations) this.#apply(operation, tokensOf(operation.path));
  }

  /** Put the items of an older page in front. */
  prepend(start, items) {
    if (start + items.length !== this.start) throw new Misfit("the page doesn't end where items begin");
    this.start = start;
    this.items.unshift(...items);
    this.#tell("prepended", items.length);
  }

  /** Let go of the oldest items, down to a number. */
  forget(most) {
    const excess = this.items.length - most;
    if (excess <= 0) return;
    this.start += excess;
    this.items.splice(0, excess);
    this.#tell("forgotten", excess);
  }

  #apply(operation, tokens) {
    const [place, ...rest] = tokens;
    if (place === "items" && rest.length > 0) this.#applyToItems(operation, rest);
    else if (place === "subagents") this.#applyToNested(operation, rest);
    else if (tokens.length === 0 || place === "items") throw new Misfit("a whole view isn't patched");
    else this.#applyToFrame(operation, tokens);
  }

  #applyToFrame(operation, tokens) {
    change(this.frame, tokens, operation);
    this.#tell("framed");
  }

  #applyToNested(operation, [id, ...rest]) {
    if (rest.length > 0) {
      const nested = this.subagents.get(id);
      if (nested === undefined) throw new Misfit(`no nested session ${id}`);
      nested.#apply(operation, rest);
    } else if (id !== undefined) {
      this.#putNested(id, operation);
    } else {
      for (const known of [...this.subagents.keys()]) this.#putNested(known, { op: "remove" });
      for (const [each, value] of Object.entries(operation.value ?? {})) {
        this.#putNested(each, { op: "add", value });
      }
    }
  }

  #putNested(id, { op, value }) {
    if (op === "remove") this.subagents.delete(id);
    else this.subagents.set(id, new SessionModel(value));
    this.#tell("nested", id);
  }

  #applyToItems(operation, [token, ...rest]) {
    const index = indexOf(token) - this.start;
    if (rest.length > 0) {
      if (index >= 0) this.#changeItem(index, rest, operation);
      return;
    }
    switch (operation.op) {
      case "add":
        return this.#insert(index, operation.value);
      case "remove":
        return this.#remove(index);
      case "replace":
        return this.#replace(index, operation.value);
      case "move":
        return this.#move(indexOf(tokensOf(operation.from).at(-1)) - this.start, index);
      default:
        throw new Misfit(`${operation.op} isn't for items`);
    }
  }

  #insert(index, item) {
    if (index > this.items.length) throw new Misfit("an item behind the end");
    // In front of the window, an item only shifts it.
    if (index < 0 || (index === 0 && this.start > 0 && this.items.length > 0)) {
      this.start += 1;
      return;
    }
    this.items.splice(index, 0, item);
    this.#tell("inserted", index);
  }

  #remove(index) {
    if (index < 0) {
      this.start -= 1;
      return undefined;
    }
    if (index >= this.items.length) throw new Misfit("no such item");
    const [item] = this.items.splice(index, 1);
    this.#tell("removed", index);
    return item;
  }

  #replace(index, item) {
    if (index >= this.items.length) throw new Misfit("no such item");
    if (index < 0) return;
    this.items[index] = item;
    this.#tell("replaced", index);
  }

  #move(from, to) {
    if (from < 0 && to >= 0) throw new Misfit("an item comes from in front of the window");
    const item = this.#remove(from);
    if (item === undefined) this.start += 1;
    else this.#insert(to, item);
  }

  #changeItem(index, tokens, operation) {
    const item = this.items[index];
    if (item === undefined) throw new Misfit("no such item");
    change(item, tokens, operation);
    const grows = operation.op === "append" && tokens.length === 1;
    if (grows) this.#tell("grown", index, tokens[0], operation.value);
    else this.#tell("changed", index);
  }

  #tell(event, ...details) {
    for (const observer of this.observers) observer[event]?.(...details);
  }
}

function change(container, tokens, { op, value }) {
  for (const token of tokens.slice(0, -1)) container = member(container, token);
  const name = tokens.at(-1);
  const isList = Array.isArray(container);
  if (op === "add" && isList) container.splice(indexOf(name), 0, value);
  else if (op === "add") define(container, name, value);
  else if (op === "replace") define(container, name, (member(container, name), value));
  else if (op === "append") define(container, name, member(container, name) + value);
  else if (op === "remove" && isList) container.splice(indexOf(name), 1);
  else if (op === "remove") delete container[name];
  else throw new Misfit(`${op} isn't for values`);
}

function member(container, name) {
  if (container === null || typeof container !== "object" || !Object.hasOwn(container, name)) {
    throw new Misfit(`nothing at ${name}`);
  }
  return container[name];
}

// An own member, whatever its name: `__proto__` is a name like any other.
function define(container, name, value) {
  Object.defineProperty(container, name, {
    value, writable: true, enumerable: true, configurable: true,
  });
}

function tokensOf(path) {
  if (path === "") return [];
  return path.slice(1).split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function indexOf(token) {
  if (!/^(0|[1-9][0-9]*)$/.test(token)) throw new Misfit(`${token} is no index`);
  return Number(token);
}
