import type { StreamType } from '@decision-ledger/contract/stream-events';
import type { StreamPosition } from './position.js';

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
