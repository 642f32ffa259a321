import { LedgerError } from '@decision-ledger/contract/errors';
import { CLOSE_CODES } from '@decision-ledger/contract/stream';
import type { Clock, Stopwatch } from '../../../platform/clock.js';
import type { FramePage, LedgerFeed } from './ledger-feed.js';
import type { ReplayBuffer } from './replay-buffer.js';
import { type StreamedEvent, type StreamFilter, takeChunk } from './rules/frame.js';
import { coversPosition, type StreamPosition } from './rules/position.js';

export interface SubscriberOptions {
  readonly feed: LedgerFeed;
  readonly filter: StreamFilter;
  /** Events after this position are sent. */
  readonly start: StreamPosition;
  readonly wire: Wire;
  /** For the time in heartbeats. */
  readonly clock: Clock;
  /** For intervals and timeouts, which a change of the clock must not affect. */
  readonly stopwatch: Stopwatch;
  /** Reads events that the replay buffer no longer has. */
  readonly replay: (from: StreamPosition, to: StreamPosition) => Promise<FramePage>;
  readonly onError: (error: unknown) => void;
}

const HEARTBEAT_MS = 30_000;
/** How long a write may take. */
const WRITE_TIMEOUT_MS = 30_000;
/** How long a ping may stay unanswered. A slow reader receives it late. */
const PING_TIMEOUT_MS = 120_000;
/** How long the closing handshake may take. */
const CLOSING_TIMEOUT_MS = 5000;

/**
 * Sends the events after a position to one connection: from the feed's replay buffer, or from the
 * database if the buffer does not reach back far enough. One write runs at a time, so a slow
 * connection falls behind and uses no memory.
 */
export class Subscriber {
  readonly #options: SubscriberOptions;
  #position: StreamPosition;
  /** The next index in the replay buffer; undefined if the buffer does not have the next event. */
  #index: number | undefined;
  /** Stopwatch time, like all times here. */
  #heartbeatAt: number;
  #hasReportedMissed = false;
  #writingSince: number | null = null;
  #pingedSince: number | null = null;
  #closingSince: number | null = null;
  #hasEnded = false;
  #isAwake = true;
  #resume: (() => void) | null = null;

  constructor(options: SubscriberOptions) {
    this.#options = options;
    this.#position = options.start;
    this.#index = options.feed.buffer.find(options.start);
    this.#heartbeatAt = options.stopwatch();
  }

  /** Sends events until the connection is closed. */
  async run(): Promise<void> {
    try {
      while (this.#closingSince === null) await this.#step();
    } catch (error) {
      this.#options.onError(error);
      this.close(CLOSE_CODES.internalError, 'the ledger cannot be read');
    }
  }

  /** Resumes sending: there may be new events. */
  wake(): void {
    this.#isAwake = true;
    this.#resume?.();
  }

  /** Enforces the timeouts, and wakes the connection when a heartbeat is due. */
  keepAlive(): void {
    if (this.#hasEnded) return;
    const now = this.#options.stopwatch();
    const isOver = (since: number | null, limit: number) => since !== null && now - since >= limit;
    if (isOver(this.#closingSince, CLOSING_TIMEOUT_MS)) this.#options.wire.destroy();
    if (isOver(this.#pingedSince, PING_TIMEOUT_MS)) this.#options.wire.destroy();
    if (isOver(this.#writingSince, WRITE_TIMEOUT_MS)) {
      this.close(CLOSE_CODES.slowConsumer, 'slow consumer');
    }
    if (now >= this.#heartbeatAt) this.wake();
  }

  /** The caller answered the ping. */
  answered(): void {
    this.#pingedSince = null;
  }

  close(code: number, reason: string): void {
    if (this.#closingSince !== null) return;
    this.#closingSince = this.#options.stopwatch();
    this.#options.wire.close(code, reason);
    this.wake();
  }

  /** The connection has ended, on either side. */
  end(): void {
    this.#hasEnded = true;
    this.#closingSince ??= this.#options.stopwatch();
    this.wake();
  }

  async #step(): Promise<void> {
    const { stopwatch, feed } = this.#options;
    if (stopwatch() >= this.#heartbeatAt) {
      await this.#sendHeartbeat();
      return;
    }
    this.#index ??= feed.buffer.find(this.#position);
    if (this.#index === undefined) {
      // A caller that was connected to another process may be ahead of this one.
      if (coversPosition(feed.buffer.position, this.#position)) await this.#catchUp();
      else await this.#sleep();
      return;
    }
    const bytes = this.#nextBuffered(this.#index);
    if (bytes !== null) await this.#write(bytes);
    else if (this.#index !== undefined) await this.#sleep();
  }

  async #sendHeartbeat(): Promise<void> {
    const { clock, stopwatch, feed, wire } = this.#options;
    const now = stopwatch();
    this.#heartbeatAt = now + HEARTBEAT_MS;
    await this.#write(feed.frames.heartbeat(this.#position, clock.now(), false));
    if (this.#pingedSince !== null || this.#closingSince !== null) return;
    this.#pingedSince = now;
    wire.ping();
  }

  /** The next frames of the replay buffer; null if there are none. */
  #nextBuffered(index: number): Buffer | null {
    const { feed, filter } = this.#options;
    const { frames, count, after } = takeChunk(eventsFrom(feed.buffer, index), filter);
    const isDropped = count === 0 && index < feed.buffer.end;
    this.#index = isDropped ? undefined : index + count;
    this.#position = after ?? this.#position;
    if (frames.length === 0) return null;
    const isWhole = filter.types === null && filter.agentId === null;
    return isWhole ? feed.join(frames) : Buffer.concat(frames);
  }

  /** Sends one page of events that the replay buffer no longer has. */
  async #catchUp(): Promise<void> {
    const { feed, filter, replay } = this.#options;
    const { clears } = feed.buffer;
    try {
      const { events, end, hasMissed } = await replay(this.#position, feed.buffer.position);
      // The first event reports missed announcements, which is sent once.
      let next = hasMissed && this.#hasReportedMissed ? 1 : 0;
      this.#hasReportedMissed ||= hasMissed;
      while (next < events.length) {
        const { frames, count, after } = takeChunk(events.slice(next), filter);
        if (frames.length > 0) await this.#write(Buffer.concat(frames));
        this.#position = after ?? this.#position;
        next += count;
        // A field was erased after this page was read: the rest is read again.
        if (feed.buffer.clears !== clears) return;
      }
      this.#position = end;
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
        this.#resume = resolve;
      });
      this.#resume = null;
    }
    this.#isAwake = false;
  }
}

function* eventsFrom(buffer: ReplayBuffer, start: number): Generator<StreamedEvent> {
  let index = start;
  for (let event = buffer.get(index); event !== undefined; event = buffer.get(index)) {
    yield event;
    index += 1;
  }
}

/** The server's end of a connection. */
export interface Wire {
  /** Sends whole frames. `done` is called when the system has taken them, or if it never will. */
  write(bytes: Buffer, done: () => void): void;
  /** Sends a ping (RFC 6455, 5.5.2). */
  ping(): void;
  close(code: number, reason: string): void;
  /** Ends the connection without a closing handshake. */
  destroy(): void;
}
