/** The logs of a ledger that the stream reads, and how far in each of them. */
export interface Position {
  readonly decisions: number;
  readonly activity: number;
  readonly announcements: number;
}

export type LogName = keyof Position;

export const LOGS: readonly LogName[] = ['decisions', 'activity', 'announcements'];

/** Whether whoever is at `a` has seen all that one at `b` has. */
export function covers(a: Position, b: Position): boolean {
  return LOGS.every((log) => a[log] >= b[log]);
}

export function positionText({ decisions, activity, announcements }: Position): string {
  return `${decisions.toString(36)}.${activity.toString(36)}.${announcements.toString(36)}`;
}

const TEXT = /^[0-9a-z]{1,11}\.[0-9a-z]{1,11}\.[0-9a-z]{1,11}$/;

/** Null unless it is what `positionText` gives. */
export function readPosition(text: string): Position | null {
  if (!TEXT.test(text)) return null;
  const [decisions, activity, announcements] = text.split('.').map((part) => parseInt(part, 36));
  if (decisions === undefined || activity === undefined || announcements === undefined) return null;
  const position = { decisions, activity, announcements };
  const isExact = LOGS.every((log) => Number.isSafeInteger(position[log]));
  return isExact && positionText(position) === text ? position : null;
}
