import type { PnlRows } from '@decision-ledger/client/api/analytics-rows';
import { csvDecimal } from '@decision-ledger/contract/csv';
import type { CsvColumns } from './csv/csv-file.ts';

/** A part of an event, with the currency that it is converted into. */
export type MoneyRow = PnlRows['rows'][number] & { readonly base_currency: string };

export function moneyRowsOf({ rows, currency }: PnlRows): readonly MoneyRow[] {
  return rows.map((row) => ({ ...row, base_currency: currency }));
}

export const MONEY_ROW_COLUMNS: CsvColumns<MoneyRow> = {
  financial_event_id: ({ financial_event_id }) => financial_event_id,
  link_id: ({ link_id }) => link_id,
  decision_id: ({ decision_id }) => decision_id,
  source: ({ source }) => source,
  event_type: ({ event_type }) => event_type,
  link_type: ({ link_type }) => link_type,
  label: ({ label }) => label,
  event_amount: ({ event_amount }) => ({ decimal: event_amount }),
  share: ({ share }) => ({ decimal: share }),
  amount: ({ amount }) => ({ decimal: amount }),
  currency: ({ currency }) => currency,
  rate: ({ rate }) => csvDecimal(rate),
  converted_amount: ({ converted_amount }) => csvDecimal(converted_amount),
  base_currency: ({ base_currency }) => base_currency,
  timestamp: ({ timestamp }) => timestamp,
};
