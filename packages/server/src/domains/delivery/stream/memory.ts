import type { StreamedEvent } from './events.js';
import { type Position, positionText } from './rules/position.js';

/** The last events of a ledger, in one order; places in it are numbered from its beginning on. */
export interface Memory {
  /** The position of whoever has seen all of it. */
  readonly at: Position;
  /** The place behind the last event. */
  readonly end: number;
  /** How often it was cleared: what was read before that is not to be sent any more. */
  readonly clears: number;
  append(events: readonly StreamedEvent[], at: Position): void;
  /** Forgets all events: whoever has not been sent them reads those that are left. */
  clear(): void;
  /** The place that follows a position, undefined where the position is none of this order's. */
  find(position: Position): number | undefined;
  /** Undefined where it is no longer, or not yet, there. */
  get(place: number): StreamedEvent | undefined;
}

/** What an event takes beside its frame, roughly. */
const OVERHEAD_BYTES = 400;

/** @param most bytes; beyond them the oldest events are forgotten */
export function eventMemory(beginning: Position, most: number): Memory {
  let start = beginning;
  const events: StreamedEvent[] = [];
  const places = new Map<string, number>([[positionText(start), 0]]);
  let at = start;
  let first = 0;
  let bytes = 0;
  let clears = 0;

  function push(event: StreamedEvent): void {
    events.push(event);
    bytes += sizeOf(event);
    at = event.after;
    // What leads nowhere new is for those who come to it, too.
    const text = positionText(at);
    if (!places.has(text)) places.set(text, first + events.length);
  }

  /** A quarter at once, since what is left has to be moved each time. */
  function forget(): void {
    let count = 0;
    for (const event of events) {
      if (bytes <= (most * 3) / 4) break;
      bytes -= sizeOf(event);
      count += 1;
      places.delete(positionText(start));
      start = event.after;
    }
    events.splice(0, count);
    first += count;
  }

  return {
    get at() {
      return at;
    },
    get end() {
      return first + events.length;
    },
    get clears() {
      return clears;
    },
    append(more, end) {
      for (const event of more) push(event);
      if (positionText(end) !== positionText(at)) push({ after: end, sent: null });
      if (bytes > most) forget();
    },
    clear() {
      clears += 1;
      first += events.length;
      events.length = 0;
      bytes = 0;
      start = at;
      places.clear();
      places.set(positionText(at), first);
    },
    find: (position) => places.get(positionText(position)),
    get: (place) => events[place - first],
  };
}

function sizeOf({ sent }: StreamedEvent): number {
  return OVERHEAD_BYTES + (sent?.frame.length ?? 0);
}
