import { timingSafeEqual } from 'node:crypto';
import type { StreamType } from '@decision-ledger/contract/stream-events';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import type { TokenKeys } from '../../../platform/keyring/keyring.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { hmac } from '../../../platform/secrets.js';
import { type LogItem, readLogs } from './read-logs.js';
import { createReplayBuffer, type ReplayBuffer } from './replay-buffer.js';
import {
  passesFilter,
  type StreamedEvent,
  type StreamFilter,
  textFrame,
  UNFILTERED,
} from './rules/frame.js';
import {
  coversPosition,
  readStreamPosition,
  type StreamPosition,
  streamPositionText,
} from './rules/position.js';
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
async function readFrames(
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

/** Event ids: positions, signed for one ledger. */
export interface PositionCodec {
  encode(scope: Scope, position: StreamPosition): string;
  /** The inverse of `encode`; null for any text that was not encoded for this ledger. */
  decode(scope: Scope, text: string): StreamPosition | null;
}

const MAC_BYTES = 12;

/** Signs with HMAC-SHA256 (RFC 2104), truncated to 12 bytes. Characters: `A-Z a-z 0-9 . - _`. */
export function positionCodec(keys: TokenKeys): PositionCodec {
  const sign = (key: Buffer, { ledgerId }: Scope, text: string): Buffer =>
    hmac(key, `${ledgerId} ${text}`).subarray(0, MAC_BYTES);
  return {
    encode(scope, position) {
      const text = streamPositionText(position);
      return `${text}.${sign(keys.current, scope, text).toString('base64url')}`;
    },
    decode(scope, id) {
      const end = id.lastIndexOf('.');
      const text = id.slice(0, Math.max(0, end));
      const position = readStreamPosition(text);
      const signature = Buffer.from(id.slice(end + 1), 'base64url');
      if (position === null || signature.length !== MAC_BYTES) return null;
      if (signature.toString('base64url') !== id.slice(end + 1)) return null;
      const isOwn = keys.all.some((key) => timingSafeEqual(signature, sign(key, scope, text)));
      return isOwn ? position : null;
    },
  };
}
