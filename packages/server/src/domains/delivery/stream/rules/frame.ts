import { invalidField } from '@decision-ledger/contract/errors';
import type { StreamQuery } from '@decision-ledger/contract/stream';
import {
  SELECTABLE_TYPES,
  type StreamType,
  streamEventOf,
} from '@decision-ledger/contract/stream-events';
import type { StreamPosition } from './position.js';

/** The events that a connection is sent. Null selects all. */
export interface StreamFilter {
  readonly types: ReadonlySet<StreamType> | null;
  readonly agentId: string | null;
}

export const UNFILTERED: StreamFilter = { types: null, agentId: null };

/** @throws LedgerError `validation_error` for an unknown type */
export function readStreamFilter({ types, agent_id }: StreamQuery): StreamFilter {
  const agentId = agent_id ?? null;
  if (types === undefined) return { types: null, agentId };
  const wanted = new Set<StreamType>();
  for (const name of types.split(',')) {
    const type = streamEventOf(name)?.type;
    if (type === undefined || !SELECTABLE_TYPES.includes(type)) {
      const list = SELECTABLE_TYPES.join(', ');
      throw invalidField('types', `must be a list, with commas between, of ${list}`);
    }
    wanted.add(type);
  }
  return { types: wanted, agentId };
}

/** Heartbeats always pass. An event about no decision belongs to no agent. */
export function passesFilter(
  { types, agentId }: StreamFilter,
  event: { readonly type: StreamType; readonly agentId: string | null },
): boolean {
  if (event.type === 'heartbeat') return true;
  if (types !== null && !types.has(event.type)) return false;
  return agentId === null || agentId === event.agentId;
}

/** An event as it is sent, and the position after it. */
export interface StreamedEvent {
  readonly after: StreamPosition;
  /** Null for an item of a log that is not sent and only advances the position. */
  readonly sent: {
    readonly type: StreamType;
    readonly agentId: string | null;
    readonly frame: Buffer;
  } | null;
}

const TEXT_AND_LAST = 0x81;

/** A whole, unmasked text frame without extensions (RFC 6455, 5.2). */
export function textFrame(text: string): Buffer {
  const size = Buffer.byteLength(text, 'utf8');
  const start = size < 126 ? 2 : size < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(start + size);
  frame[0] = TEXT_AND_LAST;
  if (start === 2) {
    frame[1] = size;
  } else if (start === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(size, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(size), 2);
  }
  frame.write(text, start, 'utf8');
  return frame;
}

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
