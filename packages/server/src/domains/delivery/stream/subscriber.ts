import { LedgerError } from '@decision-ledger/contract/errors';
import { CLOSE_CODES } from '@decision-ledger/contract/stream';
import type { Clock, Stopwatch } from '../../../platform/clock.js';
import type { Feed } from './feed.js';
import { passes, type StreamFilter } from './rules/filter.js';
import { covers, type Position } from './rules/position.js';
import type { Wire } from './wire.js';

/** A frame, and where whoever has it is. */
export interface PlacedFrame {
  readonly frame: Buffer;
  readonly after: Position;
}

/** What a connection has found behind its position. */
export interface Behind {
  readonly frames: readonly PlacedFrame[];
  readonly end: Position;
  readonly hasMissed: boolean;
}

export interface SubscriberOptions {
  readonly feed: Feed;
  readonly filter: StreamFilter;
  /** Everything behind it is sent. */
  readonly start: Position;
  readonly wire: Wire;
  /** For the time that heartbeats tell. */
  readonly clock: Clock;
  /** For all that is due, whatever becomes of the clock. */
  readonly stopwatch: Stopwatch;
  /** Reads for one connection what the feed does not remember. */
  readonly readBehind: (from: Position, to: Position) => Promise<Behind>;
  readonly onError: (error: unknown) => void;
}

const HEARTBEAT_MS = 30_000;
/** How long a caller may take nothing of what is sent. */
const SLOW_MS = 30_000;
/** How long a caller may leave unanswered whether it is there: one that reads slowly comes to it late. */
const SILENT_MS = 120_000;
/** How long a connection that is being closed may take to hear of it. */
const CLOSING_MS = 5000;
/** What is handed over at once. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Sends one caller all that comes behind a position: from the feed's memory where it reaches back far
 * enough, from the database where it does not. One piece is under way at a time, so a caller that is
 * slow falls behind and costs no memory.
 */
export class Subscriber {
  readonly #options: SubscriberOptions;
  #at: Position;
  /** Where it is in the feed's memory; undefined while that does not have what comes next. */
  #place: number | undefined;
  /** By the stopwatch, like all times here. */
  #heartbeatAt: number;
  #hasToldOfMissed = false;
  #writingSince: number | null = null;
  /** Since when it has not answered whether it is there. */
  #askedSince: number | null = null;
  #closingSince: number | null = null;
  #isOver = false;
  #isAwake = true;
  #rouse: (() => void) | null = null;

  constructor(options: SubscriberOptions) {
    this.#options = options;
    this.#at = options.start;
    this.#place = options.feed.memory.find(options.start);
    this.#heartbeatAt = options.stopwatch();
  }

  /** Sends until it is closed. */
  async run(): Promise<void> {
    try {
      while (this.#closingSince === null) await this.#step();
    } catch (error) {
      this.#options.onError(error);
      this.close(CLOSE_CODES.internalError, 'the ledger cannot be read');
    }
  }

  /** There may be something to do. */
  wake(): void {
    this.#isAwake = true;
    this.#rouse?.();
  }

  /** Sends a heartbeat when it is time, and ends a connection that takes nothing. */
  tend(): void {
    if (this.#isOver) return;
    const now = this.#options.stopwatch();
    const isLate = (since: number | null, most: number) => since !== null && now - since >= most;
    if (isLate(this.#closingSince, CLOSING_MS)) this.#options.wire.destroy();
    if (isLate(this.#askedSince, SILENT_MS)) this.#options.wire.destroy();
    if (isLate(this.#writingSince, SLOW_MS)) this.close(CLOSE_CODES.slowConsumer, 'slow consumer');
    if (now >= this.#heartbeatAt) this.wake();
  }

  /** The caller is there. */
  answered(): void {
    this.#askedSince = null;
  }

  close(code: number, reason: string): void {
    if (this.#closingSince !== null) return;
    this.#closingSince = this.#options.stopwatch();
    this.#options.wire.close(code, reason);
    this.wake();
  }

  /** The connection is gone, whoever ended it. */
  end(): void {
    this.#isOver = true;
    this.#closingSince ??= this.#options.stopwatch();
    this.wake();
  }

  async #step(): Promise<void> {
    const { stopwatch, feed } = this.#options;
    if (stopwatch() >= this.#heartbeatAt) {
      await this.#beat();
      return;
    }
    this.#place ??= feed.memory.find(this.#at);
    if (this.#place === undefined) {
      // A caller that comes from another process may have seen more than this one has.
      if (covers(feed.memory.at, this.#at)) await this.#catchUp();
      else await this.#sleep();
      return;
    }
    const piece = this.#remembered();
    if (piece !== null) await this.#write(piece);
    else if (this.#place !== undefined) await this.#sleep();
  }

  async #beat(): Promise<void> {
    const { clock, stopwatch, feed, wire } = this.#options;
    const now = stopwatch();
    this.#heartbeatAt = now + HEARTBEAT_MS;
    await this.#write(feed.frames.heartbeat(this.#at, clock.now(), false));
    if (this.#askedSince !== null || this.#closingSince !== null) return;
    this.#askedSince = now;
    wire.ping();
  }

  /** The next piece out of the memory, null where there is none. */
  #remembered(): Buffer | null {
    const { feed, filter } = this.#options;
    const found: Buffer[] = [];
    let bytes = 0;
    while (this.#place !== undefined && this.#place < feed.memory.end && bytes < CHUNK_BYTES) {
      const event = feed.memory.get(this.#place);
      this.#place = event === undefined ? undefined : this.#place + 1;
      if (event === undefined) break;
      this.#at = event.after;
      if (event.sent === null || !passes(filter, event.sent)) continue;
      found.push(event.sent.frame);
      bytes += event.sent.frame.length;
    }
    if (found.length === 0) return null;
    const isWhole = filter.types === null && filter.agentId === null;
    return isWhole ? feed.join(found) : Buffer.concat(found);
  }

  /** Goes one step on towards the end of the memory. */
  async #catchUp(): Promise<void> {
    const { feed, clock, readBehind } = this.#options;
    const { clears } = feed.memory;
    try {
      const behind = await readBehind(this.#at, feed.memory.at);
      if (behind.hasMissed && !this.#hasToldOfMissed) {
        this.#hasToldOfMissed = true;
        await this.#write(feed.frames.heartbeat(this.#at, clock.now(), true));
      }
      for (const { bytes, after } of pieces(behind.frames)) {
        await this.#write(bytes);
        this.#at = after;
        // What has been erased since is in none of what is left: it is read again.
        if (feed.memory.clears !== clears) return;
      }
      this.#at = behind.end;
    } catch (error) {
      if (!(error instanceof LedgerError && error.code === 'unavailable')) throw error;
      this.#isAwake = false;
      await this.#sleep();
    }
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#closingSince !== null) return;
    this.#writingSince = this.#options.stopwatch();
    await new Promise<void>((resolve) => this.#options.wire.write(bytes, resolve));
    this.#writingSince = null;
  }

  async #sleep(): Promise<void> {
    if (!this.#isAwake && this.#closingSince === null) {
      await new Promise<void>((resolve) => {
        this.#rouse = resolve;
      });
      this.#rouse = null;
    }
    this.#isAwake = false;
  }
}

/** Frames in as few pieces as may be handed over at once, each with the place behind it. */
function* pieces(
  frames: readonly PlacedFrame[],
): Generator<{ readonly bytes: Buffer; readonly after: Position }> {
  let found: Buffer[] = [];
  let bytes = 0;
  for (const [n, { frame, after }] of frames.entries()) {
    found.push(frame);
    bytes += frame.length;
    if (bytes < CHUNK_BYTES && n < frames.length - 1) continue;
    yield { bytes: Buffer.concat(found), after };
    found = [];
    bytes = 0;
  }
}
