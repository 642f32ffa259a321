import { passesFilter, type StreamFilter } from './filter.js';
import type { StreamedEvent } from './frame.js';
import type { StreamPosition } from './position.js';

/** Size of one write. */
const CHUNK_BYTES = 64 * 1024;

/** The frames of consecutive events. */
export interface Chunk {
  readonly frames: readonly Buffer[];
  /** Events that the chunk covers, with those that the filter left out. */
  readonly count: number;
  /** The position after them; null if there are none. */
  readonly after: StreamPosition | null;
}

/** Takes events until their frames fill one write. */
export function takeChunk(events: Iterable<StreamedEvent>, filter: StreamFilter): Chunk {
  const frames: Buffer[] = [];
  let bytes = 0;
  let count = 0;
  let after: StreamPosition | null = null;
  for (const event of events) {
    count += 1;
    after = event.after;
    if (event.sent === null || !passesFilter(filter, event.sent)) continue;
    frames.push(event.sent.frame);
    bytes += event.sent.frame.length;
    if (bytes >= CHUNK_BYTES) break;
  }
  return { frames, count, after };
}
