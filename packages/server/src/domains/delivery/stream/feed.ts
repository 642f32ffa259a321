import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { type FrameMaker, frameJoiner, frameMaker, type StreamedEvent } from './events.js';
import { eventMemory, type Memory } from './memory.js';
import type { PositionCodec } from './position-codec.js';
import { readLogs } from './read-logs.js';
import { covers, type Position } from './rules/position.js';
import { selectHeads } from './store/logs.js';

/** Reads what is new in one ledger, once for all who listen to it. */
export interface Feed {
  readonly scope: Scope;
  readonly memory: Memory;
  readonly frames: FrameMaker;
  /** Puts frames together that follow one another in the memory. */
  readonly join: (run: readonly Buffer[]) => Buffer;
  /** Looks for what is new, now or as soon as the look under way has ended. */
  wake(): void;
  /** Resolves when no look is under way any more. */
  close(): Promise<void>;
}

export interface FeedOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly positions: PositionCodec;
  /** After each look that found something. */
  readonly onNotification: () => void;
  /** A look failed; the next one may not. */
  readonly onError: (error: unknown) => void;
  /** The ledger ends before what was read of it: an older state of it was restored. */
  readonly onWentBack: () => void;
  /** Bytes of events that are kept in memory. */
  readonly memoryBytes: number;
}

/** Time between two looks, so that what comes in a burst is read and sent together. */
const PAUSE_MS = 20;

/** @param start what comes behind it is read */
export function openFeed(scope: Scope, start: Position, options: FeedOptions): Feed {
  const { db, clock, positions, onNotification, onError, onWentBack, memoryBytes } = options;
  const memory = eventMemory(start, memoryBytes);
  const frames = frameMaker(scope, positions);
  let isDue = false;
  let isClosed = false;
  let running: Promise<void> | null = null;

  function missed(): StreamedEvent {
    const frame = frames.heartbeat(memory.at, clock.now(), true);
    return { after: memory.at, sent: { type: 'heartbeat', agentId: null, frame } };
  }

  async function look(): Promise<void> {
    const heads = await selectHeads(db, scope);
    if (!covers(heads, memory.at)) return onWentBack();
    while (!isClosed && !covers(memory.at, heads)) {
      const page = await readLogs(db, scope, memory.at, heads);
      const events = page.items.map(({ item, after }) => frames.event(item, after));
      memory.append(page.hasMissed ? [missed(), ...events] : events, page.end);
      if (page.items.some(({ item }) => item.erases)) memory.clear();
      onNotification();
    }
  }

  async function run(): Promise<void> {
    while (isDue && !isClosed) {
      isDue = false;
      await look().catch(onError);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    running = null;
  }

  return {
    ...{ scope, memory, frames, join: frameJoiner() },
    wake() {
      if (isClosed) return;
      isDue = true;
      running ??= run();
    },
    async close() {
      isClosed = true;
      await running;
    },
  };
}
