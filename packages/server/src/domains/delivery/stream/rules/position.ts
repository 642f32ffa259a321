import { STREAM_LOGS, type StreamLog } from '@decision-ledger/contract/stream-events';

/** The last record read of each log; 0 before the first. */
export type StreamPosition = { readonly [Log in StreamLog]: number };

/** Whether position `a` has reached position `b` in every log. */
export function coversPosition(a: StreamPosition, b: StreamPosition): boolean {
  return STREAM_LOGS.every((log) => a[log] >= b[log]);
}

export function streamPositionText({ decisions, activity, announcements }: StreamPosition): string {
  return `${decisions.toString(36)}.${activity.toString(36)}.${announcements.toString(36)}`;
}

const TEXT = /^[0-9a-z]{1,11}\.[0-9a-z]{1,11}\.[0-9a-z]{1,11}$/;

/** The inverse of `streamPositionText`; null for any other text. */
export function readStreamPosition(text: string): StreamPosition | null {
  if (!TEXT.test(text)) return null;
  const [decisions, activity, announcements] = text.split('.').map((part) => parseInt(part, 36));
  if (decisions === undefined || activity === undefined || announcements === undefined) return null;
  const position = { decisions, activity, announcements };
  const isExact = STREAM_LOGS.every((log) => Number.isSafeInteger(position[log]));
  return isExact && streamPositionText(position) === text ? position : null;
}

/** A record of a log. */
export interface LogRecord {
  readonly log: StreamLog;
  readonly seq: number;
  /** ms. */
  readonly time: number;
}

/** A page of one log, in the order of the log. */
export interface LogPage<Item extends LogRecord> {
  readonly items: readonly Item[];
  /** The page ends before the requested end of the span. */
  readonly isCut: boolean;
}

export interface Merged<Item extends LogRecord> {
  /** Each item with the position after it. */
  readonly items: { readonly item: Item; readonly after: StreamPosition }[];
  readonly end: StreamPosition;
}

/**
 * Merges pages of the logs by time and keeps the order of each log. The result ends where a cut page
 * ends, because the next record of that log may be earlier than the rest.
 */
export function mergeLogs<Item extends LogRecord>(
  from: StreamPosition,
  to: StreamPosition,
  pages: Readonly<Record<StreamLog, LogPage<Item>>>,
): Merged<Item> {
  const next = { decisions: 0, activity: 0, announcements: 0 };
  const items: { item: Item; after: StreamPosition }[] = [];
  let at = from;
  for (;;) {
    const candidates = STREAM_LOGS.flatMap((log) => pages[log].items[next[log]] ?? []);
    const isCut = STREAM_LOGS.some(
      (log) => pages[log].isCut && next[log] === pages[log].items.length,
    );
    const [first] = candidates;
    if (isCut) return { items, end: at };
    if (first === undefined) return { items, end: furthest(at, to) };
    const item = candidates.reduce((best, one) => (one.time < best.time ? one : best), first);
    next[item.log] += 1;
    at = { ...at, [item.log]: item.seq };
    items.push({ item, after: at });
  }
}

/** Deleted records count as read. */
function furthest(at: StreamPosition, to: StreamPosition): StreamPosition {
  return {
    decisions: Math.max(at.decisions, to.decisions),
    activity: Math.max(at.activity, to.activity),
    announcements: Math.max(at.announcements, to.announcements),
  };
}
