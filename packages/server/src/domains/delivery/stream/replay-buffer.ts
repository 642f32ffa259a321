import type { StreamedEvent } from './rules/frame.js';
import { type StreamPosition, streamPositionText } from './rules/position.js';

/** The last events of a ledger in one order. Indexes count from the first event ever appended. */
export interface ReplayBuffer {
  /** The position after the last event. */
  readonly position: StreamPosition;
  /** The index after the last event. */
  readonly end: number;
  /** How often the buffer was cleared. Events read before a clear must not be sent after it. */
  readonly clears: number;
  append(events: readonly StreamedEvent[], position: StreamPosition): void;
  /** Drops all events. Connections that have not sent them read them again from the database. */
  clear(): void;
  /** The index after a position; undefined for a position that is not in the buffer. */
  find(position: StreamPosition): number | undefined;
  /** Undefined for an event that was dropped or not yet appended. */
  get(index: number): StreamedEvent | undefined;
}

/** Approximate size of an event without its frame. */
const OVERHEAD_BYTES = 400;

/** @param maxBytes the oldest events are dropped when the buffer exceeds this size */
export function createReplayBuffer(initial: StreamPosition, maxBytes: number): ReplayBuffer {
  let start = initial;
  const events: StreamedEvent[] = [];
  const indexes = new Map<string, number>([[streamPositionText(start), 0]]);
  let position = start;
  let first = 0;
  let bytes = 0;
  let clears = 0;

  function push(event: StreamedEvent): void {
    events.push(event);
    bytes += sizeOf(event);
    position = event.after;
    // The first index wins: an event that does not advance the position is sent as well.
    const text = streamPositionText(position);
    if (!indexes.has(text)) indexes.set(text, first + events.length);
  }

  /** Drops a quarter of the size at once, because each drop moves the remaining events. */
  function trim(): void {
    let count = 0;
    for (const event of events) {
      if (bytes <= (maxBytes * 3) / 4) break;
      bytes -= sizeOf(event);
      count += 1;
      indexes.delete(streamPositionText(start));
      start = event.after;
    }
    events.splice(0, count);
    first += count;
  }

  return {
    get position() {
      return position;
    },
    get end() {
      return first + events.length;
    },
    get clears() {
      return clears;
    },
    append(added, end) {
      for (const event of added) push(event);
      if (streamPositionText(end) !== streamPositionText(position))
        push({ after: end, sent: null });
      if (bytes > maxBytes) trim();
    },
    clear() {
      clears += 1;
      first += events.length;
      events.length = 0;
      bytes = 0;
      start = position;
      indexes.clear();
      indexes.set(streamPositionText(position), first);
    },
    find: (wanted) => indexes.get(streamPositionText(wanted)),
    get: (index) => events[index - first],
  };
}

function sizeOf({ sent }: StreamedEvent): number {
  return OVERHEAD_BYTES + (sent?.frame.length ?? 0);
}
