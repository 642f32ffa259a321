import type { Export } from '@decision-ledger/client/api/export';

export interface Days {
  /** YYYY-MM-DD, both included. */
  readonly first: string;
  readonly last: string;
}

/** The days of an export, in UTC. */
export function daysOf({ start_date, end_date }: Pick<Export, 'start_date' | 'end_date'>): Days {
  return { first: dayOf(Date.parse(start_date)), last: dayOf(Date.parse(end_date) - 1) };
}

/**
 * The quarter until today, for a form.
 * @param now ms since the epoch
 */
export function currentQuarter(now: number): Days {
  const last = dayOf(now);
  const month = Number(last.slice(5, 7));
  const first = String(month - ((month - 1) % 3)).padStart(2, '0');
  return { first: `${last.slice(0, 4)}-${first}-01`, last };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
