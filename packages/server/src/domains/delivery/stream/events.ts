import type { StreamType } from '@decision-ledger/contract/stream';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Scope } from '../../../platform/scope.js';
import type { LogItem } from './describe.js';
import type { PositionCodec } from './position-codec.js';
import { textFrame } from './rules/frame.js';
import type { Position } from './rules/position.js';

/** An event, ready to be sent, and where whoever has it is. */
export interface StreamedEvent {
  readonly after: Position;
  /** Null for what is not sent, and only moves the position on. */
  readonly sent: {
    readonly type: StreamType;
    readonly agentId: string | null;
    readonly frame: Buffer;
  } | null;
}

/** Makes frames for the callers of one ledger. */
export interface FrameMaker {
  event(item: LogItem, after: Position): StreamedEvent;
  /** @param time ms */
  heartbeat(at: Position, time: number, hasMissed: boolean): Buffer;
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
      const data = { announcements_missed: hasMissed };
      const told = { id, type: 'heartbeat', mode, time: formatTimestamp(time), seq: null, data };
      return textFrame(JSON.stringify(told));
    },
  };
}

/** Puts frames together; those who ask for the same run of them one after another share it. */
export function frameJoiner(): (run: readonly Buffer[]) => Buffer {
  let last: { readonly run: readonly Buffer[]; readonly joined: Buffer } | null = null;
  return (run) => {
    const isSame =
      last?.run.length === run.length && last.run[0] === run[0] && last.run.at(-1) === run.at(-1);
    if (last === null || !isSame) last = { run, joined: Buffer.concat(run) };
    return last.joined;
  };
}
