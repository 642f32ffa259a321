import { LOGS, type LogName, type Position } from './position.js';

/** Something that stands in a log. */
export interface Placed {
  readonly log: LogName;
  readonly seq: number;
  /** ms. */
  readonly time: number;
}

/** What was read of a log, in its order. */
export interface Stretch<Item extends Placed> {
  readonly items: readonly Item[];
  /** More of it was to be read: the stretch ends before the place up to which it was asked for. */
  readonly isCut: boolean;
}

export interface Merged<Item extends Placed> {
  /** Each with the position of whoever has seen it. */
  readonly items: { readonly item: Item; readonly after: Position }[];
  readonly end: Position;
}

/**
 * Puts stretches of the logs together: each in its own order, and among one another by time as far as
 * that goes. It ends where one that is cut ends, since what follows there may come before the rest.
 */
export function mergeLogs<Item extends Placed>(
  from: Position,
  to: Position,
  stretches: Readonly<Record<LogName, Stretch<Item>>>,
): Merged<Item> {
  const next = { decisions: 0, activity: 0, announcements: 0 };
  const items: { item: Item; after: Position }[] = [];
  let at = from;
  for (;;) {
    const fronts = LOGS.flatMap((log) => stretches[log].items[next[log]] ?? []);
    const stops = LOGS.some(
      (log) => stretches[log].isCut && next[log] === stretches[log].items.length,
    );
    const [first] = fronts;
    if (stops) return { items, end: at };
    if (first === undefined) return { items, end: furthest(at, to) };
    const item = fronts.reduce((best, front) => (front.time < best.time ? front : best), first);
    next[item.log] += 1;
    at = { ...at, [item.log]: item.seq };
    items.push({ item, after: at });
  }
}

/** Numbers that are gone count as seen. */
function furthest(at: Position, to: Position): Position {
  return {
    decisions: Math.max(at.decisions, to.decisions),
    activity: Math.max(at.activity, to.activity),
    announcements: Math.max(at.announcements, to.announcements),
  };
}
