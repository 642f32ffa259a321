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
