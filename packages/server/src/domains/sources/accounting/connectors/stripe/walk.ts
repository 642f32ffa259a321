import { ConnectorError } from '../call.js';
import { memberOf, type StripePage } from './api.js';

/** Where the reading of a list stopped, which begins with its newest object. Times in seconds. */
export interface Walk {
  /** The newest object of the last reading that came to its end; null before the first. */
  readonly since: number | null;
  /** The newest object of this reading, and the last one that was handled; null between readings. */
  readonly newest: number | null;
  readonly after: string | null;
}

export const START: Walk = { since: null, newest: null, after: null };

/** Requests that are left in a poll. */
export interface Budget {
  pages: number;
}

interface Walking {
  readonly budget: Budget;
  /** Seconds before the newest known object that are read again. */
  readonly overlap: number;
  readonly list: (createdFrom: number | undefined, after: string | null) => Promise<StripePage>;
  /** @returns how many were handled: fewer than all if the budget is spent */
  readonly handle: (items: readonly unknown[]) => Promise<number>;
}

/**
 * Reads a list from its newest object back to those that are known, over several polls if it is long. Objects that are made
 * meanwhile are newer than this reading, and are read by the next one.
 */
export async function walkOn(
  walk: Walk,
  { budget, overlap, list, handle }: Walking,
): Promise<Walk> {
  const from = walk.since === null ? undefined : Math.max(0, walk.since - overlap);
  let { newest, after } = walk;
  while (budget.pages > 0) {
    budget.pages -= 1;
    const { items, hasMore } = await list(from, after);
    const times = items.map((item) => memberOf(item, 'created')).filter(isSeconds);
    newest ??= times.length === 0 ? null : Math.max(...times);
    const handled = await handle(items);
    after = handled === 0 ? after : idOf(items[handled - 1]);
    if (handled < items.length) break;
    if (!hasMore || items.length === 0)
      return { since: newest ?? walk.since, newest: null, after: null };
  }
  return { since: walk.since, newest, after };
}

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value);

function idOf(item: unknown): string {
  const id = memberOf(item, 'id');
  if (typeof id === 'string') return id;
  throw new ConnectorError('Stripe sent an object without id; the poll is retried', {
    isTemporary: true,
  });
}
