import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { checksum } from './line.js';
import type { Position } from './segment.js';

const NAME = 'delivered';
const START: Position = { segment: 1, offset: 0 };

/**
 * Where delivery has arrived. It is overwritten in place, by one write of the same length. If it is
 * damaged, everything is delivered again, which the idempotency keys make harmless.
 */
export class DeliveredMark {
  readonly #file: number;
  #last: Position = START;

  constructor(folder: string) {
    this.#last = readDelivered(folder);
    this.#file = openSync(join(folder, NAME), 'w', 0o600);
    this.write(this.#last);
  }

  get position(): Position {
    return this.#last;
  }

  write(position: Position): void {
    this.#last = position;
    const content = `${position.segment} ${position.offset}`.padEnd(40);
    writeSync(this.#file, `${checksum(content)}${content}\n`, 0);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The position of the mark in a folder; the beginning if there is none. */
function readDelivered(folder: string): Position {
  try {
    const text = readFileSync(join(folder, NAME), 'utf8');
    const content = text.slice(8, 48);
    const [segment, offset] = content.trim().split(' ').map(Number);
    const isWhole = checksum(content) === text.slice(0, 8);
    return isWhole && segment !== undefined && offset !== undefined ? { segment, offset } : START;
  } catch {
    return START;
  }
}
