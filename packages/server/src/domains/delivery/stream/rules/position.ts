import { STREAM_LOGS, type StreamLog } from '@decision-ledger/contract/stream-events';

/** The last record read of each log; 0 before the first. */
export type Position = { readonly [Log in StreamLog]: number };

/** Whether position `a` has reached position `b` in every log. */
export function covers(a: Position, b: Position): boolean {
  return STREAM_LOGS.every((log) => a[log] >= b[log]);
}

export function positionText({ decisions, activity, announcements }: Position): string {
  return `${decisions.toString(36)}.${activity.toString(36)}.${announcements.toString(36)}`;
}

const TEXT = /^[0-9a-z]{1,11}\.[0-9a-z]{1,11}\.[0-9a-z]{1,11}$/;

/** The inverse of `positionText`; null for any other text. */
export function readPosition(text: string): Position | null {
  if (!TEXT.test(text)) return null;
  const [decisions, activity, announcements] = text.split('.').map((part) => parseInt(part, 36));
  if (decisions === undefined || activity === undefined || announcements === undefined) return null;
  const position = { decisions, activity, announcements };
  const isExact = STREAM_LOGS.every((log) => Number.isSafeInteger(position[log]));
  return isExact && positionText(position) === text ? position : null;
}
