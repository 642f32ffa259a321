import type { Clock } from '../../../platform/clock.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { FrameMaker } from './frame-maker.js';
import { readLogs } from './read-logs.js';
import { passesFilter, type StreamFilter } from './rules/filter.js';
import type { StreamedEvent } from './rules/frame.js';
import type { StreamPosition } from './rules/position.js';

export interface FrameSource {
  readonly ledger: LedgerReader;
  readonly clock: Clock;
  readonly frames: FrameMaker;
}

export interface FrameQuery {
  /** Excluded. */
  readonly from: StreamPosition;
  /** Included. */
  readonly to: StreamPosition;
  readonly filter: StreamFilter;
  /** The page ends with the frame that reaches this size. */
  readonly maxBytes: number;
}

export interface FramePage {
  /** Begins with a heartbeat that reports missed announcements, if there are any. */
  readonly events: readonly StreamedEvent[];
  readonly end: StreamPosition;
  /** Announcements after `from` were deleted for their age. */
  readonly hasMissed: boolean;
  /** A field was erased: frames made before may contain it. */
  readonly hasErasure: boolean;
}

/** Reads rows of the logs and makes their frames: the one path of live delivery and of replay. */
export async function readFrames(
  { ledger, clock, frames }: FrameSource,
  { from, to, filter, maxBytes }: FrameQuery,
): Promise<FramePage> {
  const { items, end, hasMissed } = await readLogs(ledger, from, to);
  const hasErasure = items.some(({ item }) => item.erases);
  const events: StreamedEvent[] = [];
  if (hasMissed) {
    const frame = frames.heartbeat(from, clock.now(), true);
    events.push({ after: from, sent: { type: 'heartbeat', agentId: null, frame } });
  }
  let bytes = 0;
  for (const { item, after } of items) {
    const isSent = item.event !== null && passesFilter(filter, item.event);
    const event = isSent ? frames.event(item, after) : { after, sent: null };
    events.push(event);
    bytes += event.sent?.frame.length ?? 0;
    if (bytes >= maxBytes) return { events, end: after, hasMissed, hasErasure };
  }
  return { events, end, hasMissed, hasErasure };
}
