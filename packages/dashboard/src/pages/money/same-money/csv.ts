import { useLedger } from '../../../app/session/context.tsx';
import { type CsvTable, type LoadRows, loadWith } from '../../../components/rows.tsx';
import type { Doubtful, Possible } from './queue.ts';

/** An event in doubt, and one that may report the same money. */
interface DoubtRow extends Possible {
  readonly report: Doubtful['report'];
}

/** Each doubt has a row for both of its events, as the API lists it. */
export function useRows(): LoadRows<DoubtRow> {
  const ledger = useLedger();
  return loadWith(
    (wanted, options) => ledger.events.sameMoney(wanted, options),
    ({ reports }) =>
      reports.flatMap(({ report, possible }) => possible.map((one) => ({ ...one, report }))),
  );
}

export const CSV: CsvTable<DoubtRow> = {
  name: 'events-in-doubt',
  columns: {
    id: ({ report }) => report.id,
    source: ({ report }) => report.source,
    event_type: ({ report }) => report.event_type,
    amount: ({ report }) => ({ decimal: report.amount }),
    currency: ({ report }) => report.currency,
    external_id: ({ report }) => report.external_id,
    description: ({ report }) => report.description,
    timestamp: ({ report }) => report.timestamp,
    possible_id: ({ financial_event }) => financial_event.id,
    possible_source: ({ financial_event }) => financial_event.source,
    possible_amount: ({ financial_event }) => ({ decimal: financial_event.amount }),
    possible_currency: ({ financial_event }) => financial_event.currency,
    possible_external_id: ({ financial_event }) => financial_event.external_id,
    possible_timestamp: ({ financial_event }) => financial_event.timestamp,
    sum: ({ sum }) => (sum === undefined ? undefined : { decimal: sum.amount }),
    sum_count: ({ sum }) =>
      sum === undefined ? undefined : String(sum.period?.count ?? sum.parts.length),
    sum_ids: ({ sum }) => sum?.parts.map(({ id }) => id).join(' '),
    rule: ({ rule }) => rule,
    doubt: ({ doubt }) => doubt,
  },
};
