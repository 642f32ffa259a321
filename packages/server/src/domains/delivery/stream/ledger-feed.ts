import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import {
  type FrameMaker,
  type FramePage,
  type FrameQuery,
  frameJoiner,
  frameMaker,
  type PositionCodec,
  readFrames,
} from './read-frames.js';
import { createReplayBuffer, type ReplayBuffer } from './replay-buffer.js';
import { UNFILTERED } from './rules/frame.js';
import { coversPosition, type StreamPosition } from './rules/position.js';
import { selectHeads } from './store/logs.js';

/** Reads the new events of one ledger, once for all of its subscribers. */
export interface LedgerFeed {
  readonly scope: Scope;
  readonly buffer: ReplayBuffer;
  readonly frames: FrameMaker;
  /** Joins consecutive frames of the buffer. */
  readonly join: (run: readonly Buffer[]) => Buffer;
  /** Reads events from the database. */
  readonly read: (query: FrameQuery) => Promise<FramePage>;
  /** Reads what is new, now or after the read that is running. */
  wake(): void;
  /** Resolves when no read is running. */
  close(): Promise<void>;
}

export interface LedgerFeedOptions {
  readonly db: Pick<Database, 'ledger'>;
  readonly clock: Clock;
  readonly positions: PositionCodec;
  /** Called after each read that found something. */
  readonly onNotification: () => void;
  /** Called when a read fails; the next one may succeed. */
  readonly onError: (error: unknown) => void;
  /** Called when the ledger ends before the last event read: an older state of it was restored. */
  readonly onWentBack: () => void;
  /** Size of the replay buffer. */
  readonly bufferBytes: number;
}

/** Delay between two reads, so that a burst of events is read and sent together. */
const PAUSE_MS = 20;

/** @param start events after this position are read */
export function openLedgerFeed(
  scope: Scope,
  start: StreamPosition,
  options: LedgerFeedOptions,
): LedgerFeed {
  const { db, clock, positions, onNotification, onError, onWentBack, bufferBytes } = options;
  const buffer = createReplayBuffer(start, bufferBytes);
  const frames = frameMaker(scope, positions);
  const ledger = db.ledger(scope);
  const source = { ledger, clock, frames };
  const everything = { filter: UNFILTERED, maxBytes: Number.POSITIVE_INFINITY };
  let isRequested = false;
  let isClosed = false;
  let running: Promise<void> | null = null;

  async function readNew(): Promise<void> {
    const to = await selectHeads(ledger);
    if (!coversPosition(to, buffer.position)) return onWentBack();
    while (!isClosed && !coversPosition(buffer.position, to)) {
      const page = await readFrames(source, { from: buffer.position, to, ...everything });
      buffer.append(page.events, page.end);
      if (page.hasErasure) buffer.clear();
      onNotification();
    }
  }

  async function run(): Promise<void> {
    while (isRequested && !isClosed) {
      isRequested = false;
      await readNew().catch(onError);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    running = null;
  }

  return {
    scope,
    buffer,
    frames,
    join: frameJoiner(),
    read: (query) => readFrames(source, query),
    wake() {
      if (isClosed) return;
      isRequested = true;
      running ??= run();
    },
    async close() {
      isClosed = true;
      await running;
    },
  };
}
