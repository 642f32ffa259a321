import type { StreamType } from '@decision-ledger/contract/stream-events';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Scope } from '../../../platform/principal.js';
import type { LogItem } from './describe.js';
import type { PositionCodec } from './position-codec.js';
import { type StreamedEvent, textFrame } from './rules/frame.js';
import type { StreamPosition } from './rules/position.js';

/** Makes the frames of one ledger. */
export interface FrameMaker {
  event(item: LogItem, after: StreamPosition): StreamedEvent;
  /** @param time ms */
  heartbeat(at: StreamPosition, time: number, hasMissed: boolean): Buffer;
}

export function frameMaker(scope: Scope, positions: PositionCodec): FrameMaker {
  const { mode } = scope;
  return {
    event({ event, seq, time }, after) {
      if (event === null) return { after, sent: null };
      const { type, agentId, data } = event;
      const id = positions.encode(scope, after);
      const text = JSON.stringify({ id, type, mode, time: formatTimestamp(time), seq, data });
      return { after, sent: { type, agentId, frame: textFrame(text) } };
    },
    heartbeat(at, time, hasMissed) {
      const id = positions.encode(scope, at);
      const type: StreamType = 'heartbeat';
      const data = { announcements_missed: hasMissed };
      const event = { id, type, mode, time: formatTimestamp(time), seq: null, data };
      return textFrame(JSON.stringify(event));
    },
  };
}

/** Joins frames. Keeps the last result, because many connections join the same run of frames. */
export function frameJoiner(): (run: readonly Buffer[]) => Buffer {
  let last: { readonly run: readonly Buffer[]; readonly joined: Buffer } | null = null;
  return (run) => {
    const isSame =
      last?.run.length === run.length && last.run[0] === run[0] && last.run.at(-1) === run.at(-1);
    if (last === null || !isSame) last = { run, joined: Buffer.concat(run) };
    return last.joined;
  };
}
