/// <reference lib="es2024.string" />
import { describeSyntax, GateError } from './gate-error.js';
import { STEP } from './gate-text.js';
import { numberProblem } from './json.js';

/** The goal of a scan: to locate a syntax error, or values that cannot be stored faithfully. */
export type ScanGoal =
  | { purpose: 'syntax' }
  | {
      purpose: 'meaning';
      maxDepth: number;
      /** Whether a value is used, by the keys that lead to it; default: all are. Others may be anything. */
      isRead?: (path: readonly (string | number)[]) => boolean;
    };

interface Frame {
  readonly close: '}' | ']';
  /** Key of the current member, or index of the current item. */
  at: string | number;
  /** Keys before the current one; null for the first, because most objects are small. */
  keys: Set<string> | null;
}

/** As many keys of a path as decide whether a value is read. */
const LONGEST_PATH = 8;

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const HEX_ESCAPE = /u[0-9a-fA-F]{4}/y;

/**
 * Scans a JSON text once, without recursion, and stops at the first problem. Yields whenever a pause is due.
 *
 * @throws GateError with the position (`syntax`) or the path (`unrepresentable`) of the problem
 */
export function* scanSteps(text: string, goal: ScanGoal): Generator<void, void, void> {
  const scan = new Scan(text, goal);
  let pauseAt = STEP;
  do {
    while (scan.value()) {
      // Each iteration opens a container and moves to its first value.
    }
    if (scan.at > pauseAt) {
      pauseAt = scan.at + STEP;
      yield;
    }
  } while (scan.next());
}

class Scan {
  readonly #text: string;
  readonly #goal: ScanGoal;
  readonly #frames: Frame[] = [];
  #at = 0;

  constructor(text: string, goal: ScanGoal) {
    this.#text = text;
    this.#goal = goal;
  }

  /** The position up to which the text is read. */
  get at(): number {
    return this.#at;
  }

  /** Reads a scalar, an empty container or an opening bracket. Returns true if it opened a container. */
  value(): boolean {
    this.#space();
    const char = this.#text[this.#at];
    switch (char) {
      case '{':
      case '[':
        return this.#open(char === '{' ? '}' : ']');
      case '"':
        this.#string();
        return false;
      case 't':
        this.#word('true');
        return false;
      case 'f':
        this.#word('false');
        return false;
      case 'n':
        this.#word('null');
        return false;
      default:
        this.#number();
        return false;
    }
  }

  /** Skips the text after a value. Returns true if another value follows, false at the end. */
  next(): boolean {
    for (;;) {
      this.#space();
      const frame = this.#frames.at(-1);
      if (frame === undefined) {
        return this.#at < this.#text.length ? this.#refuseSyntax() : false;
      }
      const char = this.#text[this.#at];
      if (char === ',') {
        this.#at++;
        if (typeof frame.at === 'number') {
          frame.at++;
        } else {
          this.#key(frame, false);
        }
        return true;
      }
      if (char !== frame.close) {
        this.#refuseSyntax();
      }
      this.#at++;
      this.#frames.pop();
    }
  }

  #open(close: '}' | ']'): boolean {
    if (this.#goal.purpose === 'meaning' && this.#frames.length >= this.#goal.maxDepth) {
      const message = 'The value is nested too deeply. Flatten it or send it as a string.';
      throw new GateError('unrepresentable', pathOf(this.#frames), message);
    }
    this.#at++;
    this.#space();
    if (this.#text[this.#at] === close) {
      this.#at++;
      return false;
    }
    const frame: Frame = { close, at: close === '}' ? '' : 0, keys: null };
    this.#frames.push(frame);
    if (close === '}') {
      this.#key(frame, true);
    }
    return true;
  }

  #key(frame: Frame, isFirst: boolean): void {
    this.#space();
    if (this.#text[this.#at] !== '"') {
      this.#refuseSyntax();
    }
    const start = this.#at;
    this.#skipString();
    const token = this.#text.slice(start, this.#at);
    this.#space();
    if (this.#text[this.#at] !== ':') {
      this.#refuseSyntax();
    }
    this.#at++;
    if (this.#goal.purpose === 'syntax') {
      return;
    }
    const key = decode(token);
    if (!isFirst) {
      frame.keys ??= new Set([String(frame.at)]);
    }
    frame.at = key;
    this.#checkText(key, 'key');
    if (key === '__proto__') {
      this.#refuse('A key __proto__ is not accepted. Rename it.');
    }
    if (frame.keys?.has(key) === true) {
      this.#refuse('The key appears twice in the same object. Send each key once.');
    }
    frame.keys?.add(key);
  }

  #string(): void {
    const start = this.#at;
    this.#skipString();
    if (this.#goal.purpose === 'meaning') {
      this.#checkText(decode(this.#text.slice(start, this.#at)), 'string');
    }
  }

  #skipString(): void {
    const text = this.#text;
    let at = this.#at + 1;
    for (;;) {
      const code = text.charCodeAt(at);
      // Past the end the code is NaN, for which the comparison is false.
      if (!(code >= SPACE)) {
        this.#at = at;
        this.#refuseSyntax();
      }
      at++;
      if (code === QUOTE) {
        this.#at = at;
        return;
      }
      if (code === BACKSLASH) {
        this.#at = at;
        this.#skipEscape();
        at = this.#at;
      }
    }
  }

  #skipEscape(): void {
    const char = this.#text[this.#at];
    if (char === 'u') {
      HEX_ESCAPE.lastIndex = this.#at;
      if (!HEX_ESCAPE.test(this.#text)) {
        this.#refuseSyntax();
      }
      this.#at += 5;
    } else if (char !== undefined && '"\\/bfnrt'.includes(char)) {
      this.#at++;
    } else {
      this.#refuseSyntax();
    }
  }

  #number(): void {
    NUMBER.lastIndex = this.#at;
    const token = NUMBER.exec(this.#text)?.[0] ?? this.#refuseSyntax();
    const problem = this.#goal.purpose === 'meaning' ? numberProblem(token) : null;
    if (problem !== null) {
      this.#refuse(problem);
    }
    this.#at += token.length;
  }

  #word(word: string): void {
    if (!this.#text.startsWith(word, this.#at)) {
      this.#refuseSyntax();
    }
    this.#at += word.length;
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
        return;
      }
      this.#at++;
    }
  }

  #checkText(text: string, what: 'key' | 'string'): void {
    if (!text.isWellFormed()) {
      this.#refuse(`The ${what} contains half of a surrogate pair. Send whole characters.`);
    }
    if (text.includes('\u0000')) {
      this.#refuse(`The ${what} contains the character U+0000. Remove it.`);
    }
  }

  #refuse(message: string): void {
    if (this.#goal.purpose === 'meaning' && this.#goal.isRead !== undefined) {
      const path = this.#frames.slice(0, LONGEST_PATH).map(({ at }) => at);
      if (!this.#goal.isRead(path)) return;
    }
    throw new GateError('unrepresentable', pathOf(this.#frames), message);
  }

  #refuseSyntax(): never {
    throw new GateError('syntax', '', describeSyntax(this.#text, this.#at));
  }
}

function decode(token: string): string {
  if (!token.includes('\\')) {
    return token.slice(1, -1);
  }
  const text: unknown = JSON.parse(token);
  return String(text);
}

function pathOf(frames: readonly Frame[]): string {
  let path = '';
  for (const { at } of frames) {
    if (typeof at === 'number') {
      path += `[${at}]`;
    } else if (IDENTIFIER.test(at)) {
      path += path === '' ? at : `.${at}`;
    } else {
      path += `[${JSON.stringify(at)}]`;
    }
  }
  return path;
}
