import type { Pnl } from '@decision-ledger/client/api/analytics';
import { useQuery } from '@tanstack/react-query';
import { present } from '../../app/search-params.ts';
import { useLedger } from '../../app/session/context.ts';
import type { MoneySearch } from './search.ts';

export type Figure = 'unattributed' | 'unconverted' | 'unattributed_unconverted';

/** The profit and loss of the days in view. */
export function usePnl({ from, to }: MoneySearch) {
  const ledger = useLedger();
  const query = present({ start: from, end: to });
  return useQuery({
    queryKey: ['figures', 'pnl', query],
    queryFn: ({ signal }) => ledger.analytics.pnl(query, { signal }),
  });
}

/** Money in a currency without an exchange rate. */
export interface Unconverted {
  readonly currency: string;
  /** What links take. */
  readonly linked: string;
  /** What they leave. */
  readonly open: string;
}

export function unconvertedOf({ unconverted, unattributed_unconverted }: Pnl): Unconverted[] {
  const amounts = (list: Pnl['unconverted']) =>
    new Map(list.map(({ currency, amount }) => [currency, amount]));
  const linked = amounts(unconverted);
  const open = amounts(unattributed_unconverted);
  const currencies = [...new Set([...linked.keys(), ...open.keys()])].sort();
  return currencies.map((currency) => ({
    currency,
    linked: linked.get(currency) ?? '0',
    open: open.get(currency) ?? '0',
  }));
}
