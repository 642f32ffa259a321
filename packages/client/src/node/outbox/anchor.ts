import type { Buffer } from 'node:buffer';
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { Anchor } from '../../receipts.js';
import { checksum } from './line.js';

const PREFIX = 'anchor-';
/** Of a slot, in bytes: checksum, hash, space, seq, line feed. */
const SLOT = 96;
const NOTHING: Anchor = { seq: 0, hash: '' };

/**
 * The last receipt of the processes that use an outbox. Each process writes a file of its own, in two
 * slots by turns: a write that is cut damages one of them, and the other has the receipt before.
 */
export class AnchorFile {
  readonly #path: string;
  readonly #file: number;
  readonly #isDurable: boolean;
  #slot = 0;
  #last: Anchor;

  /** @param folder of this process, whose name the file has */
  constructor(outbox: string, folder: string, isDurable: boolean) {
    const others = filesIn(outbox);
    // Before they are read: a process writes nothing after it has left its folder.
    const left = others.filter((path) => !hasWriter(outbox, path));
    this.#isDurable = isDurable;
    this.#last = others.map(readAnchor).reduce(higher, NOTHING);
    this.#path = join(outbox, PREFIX + basename(folder));
    this.#file = openSync(this.#path, 'w', 0o600);
    if (this.#last.seq > 0) this.#write();
    // What they had is in this file now.
    for (const path of left) rmSync(path, { force: true });
  }

  /** The highest receipt; null before the first. */
  get last(): Anchor | null {
    return this.#last.seq > 0 ? this.#last : null;
  }

  /** @throws an error of the file system; the next call tries again */
  keep(anchor: Anchor): void {
    this.#last = higher(this.#last, anchor);
    this.#write();
  }

  close(): void {
    closeSync(this.#file);
    if (this.#last.seq === 0) rmSync(this.#path, { force: true });
  }

  #write(): void {
    const { seq, hash } = this.#last;
    const content = `${hash} ${seq}`.padEnd(SLOT - 9);
    writeSync(this.#file, `${checksum(content)}${content}\n`, this.#slot * SLOT);
    this.#slot = 1 - this.#slot;
    if (this.#isDurable) fdatasyncSync(this.#file);
  }
}

function filesIn(outbox: string): string[] {
  const names = readdirSync(outbox).filter((name) => name.startsWith(PREFIX));
  return names.map((name) => join(outbox, name));
}

function hasWriter(outbox: string, path: string): boolean {
  return existsSync(join(outbox, basename(path).slice(PREFIX.length)));
}

/** The higher of the slots that are whole. */
function readAnchor(path: string): Anchor {
  try {
    const bytes = readFileSync(path);
    return [0, 1].map((slot) => readSlot(bytes, slot)).reduce(higher, NOTHING);
  } catch {
    // Another process has removed it, after it had copied it.
    return NOTHING;
  }
}

function readSlot(bytes: Buffer, slot: number): Anchor {
  const text = bytes.subarray(slot * SLOT, (slot + 1) * SLOT).toString('latin1');
  const content = text.slice(8, SLOT - 1);
  const [, hash, seq] = /^([0-9a-f]{64}) ([1-9]\d{0,15}) *$/.exec(content) ?? [];
  if (hash === undefined || checksum(content) !== text.slice(0, 8)) return NOTHING;
  return { seq: Number(seq), hash };
}

function higher(a: Anchor, b: Anchor): Anchor {
  return b.seq > a.seq ? b : a;
}
