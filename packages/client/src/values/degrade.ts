import { type Container, type Form, formOf, keyText, UNREADABLE } from './forms.js';
import { Marks } from './marks.js';

export type Json = null | boolean | number | string | Json[] | JsonMembers;
export interface JsonMembers {
  [name: string]: Json;
}

/** What is copied of one decision: a value may lead to the same large one again and again. */
const BOUNDS = {
  /** Containers within one another: the service allows 64 in a field of a decision. */
  depth: 65,
  /** Fewer than the members that a body may have. */
  values: 90_000,
  /** Values of a container that is copied before larger ones. */
  small: 1_000,
  characters: 64 * 1024 * 1024,
  /** Of a text beyond them. */
  head: 8192,
  digested: 16 * 1024 * 1024,
};

interface Degraded {
  /** A copy that JSON can hold, and the service. */
  readonly value: Json;
  readonly marks: Marks;
}

/**
 * Copies a value as JSON that the service can hold. What JSON cannot hold becomes a text or a digest, by the table of
 * docs/values.md; nothing beside it changes. Each member is read once, whatever it throws, and
 * time and size are bounded.
 *
 * @param sha256 hashes bytes, as hexadecimal
 */
export function degrade(value: unknown, sha256: (bytes: Uint8Array) => string): Degraded {
  const copier = new Copier(sha256);
  return { value: copier.copy(value), marks: copier.marks };
}

/** A container whose values wait to be copied. */
interface Frame {
  readonly parent: Frame | null;
  /** In the container around it. */
  readonly name: string;
  readonly depth: number;
  readonly from: Container;
  readonly to: Json[] | JsonMembers;
  /** How often a key came, if any came twice. */
  repeats: Map<string, number> | null;
}

class Queue {
  readonly #frames: Frame[] = [];
  #taken = 0;

  add(frame: Frame): void {
    this.#frames.push(frame);
  }

  take(): Frame | undefined {
    const frame = this.#frames[this.#taken];
    if (frame !== undefined) this.#taken += 1;
    return frame;
  }
}

/** No recursion, so that depth is no danger. Deep and large containers come last, so that they cost nothing beside them. */
class Copier {
  readonly marks = new Marks();
  readonly #small = new Queue();
  readonly #large = new Queue();
  readonly #digest: (bytes: Uint8Array) => string | undefined;
  #values = BOUNDS.values;
  #characters = BOUNDS.characters;
  #digested = BOUNDS.digested;

  constructor(sha256: (bytes: Uint8Array) => string) {
    this.#digest = (bytes) => {
      if (bytes.byteLength > this.#digested) return undefined;
      this.#digested -= bytes.byteLength;
      return sha256(bytes);
    };
  }

  copy(value: unknown): Json {
    const copy = this.#copyOf(value, '', null);
    for (;;) {
      const frame = this.#small.take() ?? this.#large.take();
      if (frame === undefined) return copy;
      this.#fill(frame);
    }
  }

  #fill(frame: Frame): void {
    const { from, to } = frame;
    const length = Math.min(from.length, this.#values);
    this.#values -= length;
    for (let at = 0; at < length; at += 1) {
      const value = read(from, at);
      if (Array.isArray(to)) {
        to.push(this.#copyOf(value, String(at), frame));
      } else if (value !== undefined) {
        const name = this.#nameOf(frame, to, from.keys[at]);
        to[name] = this.#copyOf(value, name, frame);
      }
    }
    if (from.length > length) this.#cut(frame, length);
  }

  #copyOf(value: unknown, name: string, parent: Frame | null): Json {
    if (typeof value === 'string') return this.#textAt(value, name, parent);
    const form = this.#formOf(value);
    if (form.kind !== 'scalar') return this.#enter(form, name, parent);
    if (!form.isExact) this.#mark(name, parent);
    return typeof form.value === 'string' ? this.#textAt(form.value, name, parent) : form.value;
  }

  #textAt(value: string, name: string, parent: Frame | null): string {
    const text = this.#text(value);
    return text === value ? text : this.#instead(text, name, parent);
  }

  #formOf(value: unknown): Form {
    try {
      return value === THROWN ? UNREADABLE : formOf(value, this.#digest);
    } catch {
      return UNREADABLE;
    }
  }

  #enter(from: Container, name: string, parent: Frame | null): Json {
    const depth = (parent?.depth ?? 0) + 1;
    if (isWithin(parent, from.source)) return this.#instead('[cycle]', name, parent);
    if (depth > BOUNDS.depth) return this.#instead('[too deep]', name, parent);
    if (!from.isExact) this.#mark(name, parent);
    const to = from.kind === 'list' ? [] : {};
    const queue = from.length > BOUNDS.small ? this.#large : this.#small;
    queue.add({ parent, name, depth, from, to, repeats: null });
    return to;
  }

  #instead(text: string, name: string, parent: Frame | null): string {
    this.#mark(name, parent);
    return text;
  }

  /** Says how much of a container is left out. */
  #cut(frame: Frame, length: number): void {
    const text = `[${frame.from.length - length} more]`;
    const { to } = frame;
    if (Array.isArray(to)) {
      to.push(this.#instead(text, String(length), frame));
    } else {
      const name = this.#nameOf(frame, to, '[more]');
      to[name] = this.#instead(text, name, frame);
    }
  }

  /** The name of a member in the copy. Keys that become the same are numbered. */
  #nameOf(frame: Frame, members: JsonMembers, key: unknown): string {
    const text = this.#text(textOfKey(key));
    const wanted = text === '__proto__' ? '[__proto__]' : text;
    let name = wanted;
    while (Object.hasOwn(members, name)) {
      frame.repeats ??= new Map();
      const repeat = (frame.repeats.get(wanted) ?? 1) + 1;
      frame.repeats.set(wanted, repeat);
      name = `${wanted} (${repeat})`;
    }
    if (name !== key) this.#mark(name, frame);
    return name;
  }

  /** A text without what the service cannot hold, such as half of an emoji that was cut. */
  #text(text: string): string {
    if (text.length <= this.#characters && !UNSTORABLE.test(text)) {
      this.#characters -= text.length;
      return text;
    }
    const isLong = text.length > this.#characters;
    const kept = isLong ? text.slice(0, Math.min(BOUNDS.head, this.#characters)) : text;
    this.#characters -= kept.length;
    const whole = kept.replace(ALL_UNSTORABLE, '\ufffd');
    return isLong ? `${whole}[cut]` : whole;
  }

  #mark(name: string, parent: Frame | null): void {
    if (parent !== null) this.marks.add(() => namesTo(name, parent));
  }
}

function isWithin(frame: Frame | null, source: object): boolean {
  for (let at = frame; at !== null; at = at.parent) if (at.from.source === source) return true;
  return false;
}

/** The names that lead from the root to a value. */
function namesTo(name: string, parent: Frame): string[] {
  const names = [name];
  for (let at = parent; at.parent !== null; at = at.parent) names.push(at.name);
  return names.reverse();
}

/** With the flag `u`, half of a surrogate pair alone matches. */
const UNSTORABLE = /[\u0000\ud800-\udfff]/u;
const ALL_UNSTORABLE = /[\u0000\ud800-\udfff]/gu;

/** In place of a value that throws when it is read. */
const THROWN = Symbol('thrown');

function read({ source, keys, values }: Container, at: number): unknown {
  try {
    return values === null ? Reflect.get(source, String(keys[at])) : values[at];
  } catch {
    return THROWN;
  }
}

function textOfKey(key: unknown): string {
  try {
    return keyText(key);
  } catch {
    return '[unreadable]';
  }
}
