import type { PnlRows } from '@decision-ledger/client/api/analytics-rows';
import type { Activity } from '@decision-ledger/client/api/chain';
import type { ExposureRows } from '@decision-ledger/client/api/exposure';
import type { LiabilityBacktest } from '@decision-ledger/client/api/liability-model';
import { csvDecimal } from '@decision-ledger/contract/csv';
import type { CsvColumns, CsvTable } from './rows.tsx';

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

type ExposureRow = ExposureRows['rows'][number] & { readonly currency: string };

export function exposureRowsOf({ rows, currency }: ExposureRows): readonly ExposureRow[] {
  return rows.map((row) => ({ ...row, currency }));
}

/** The decisions that an exposure is the sum of. */
export const EXPOSURE_ROWS_CSV: CsvTable<ExposureRow> = {
  name: 'exposure-by-decision',
  columns: {
    decision_id: ({ decision_id }) => decision_id,
    agent_id: ({ agent_id }) => agent_id,
    action_type: ({ action_type }) => action_type,
    timestamp: ({ timestamp }) => timestamp,
    seq: ({ seq }) => seq,
    confidence: ({ confidence }) => confidence,
    is_reviewed: ({ is_reviewed }) => is_reviewed,
    is_denied: ({ is_denied }) => is_denied,
    open: ({ open }) => csvDecimal(open),
    exposure: ({ exposure }) => csvDecimal(exposure),
    low: ({ low }) => csvDecimal(low),
    high: ({ high }) => csvDecimal(high),
    realised: ({ realised }) => csvDecimal(realised),
    currency: ({ currency }) => currency,
    unconverted_count: ({ unconverted_count }) => unconverted_count,
  },
};

/** Forecasts of the exposure beside what was lost, as the API has them: oldest first. */
export const FORECASTS_CSV: CsvTable<LiabilityBacktest['months'][number]> = {
  name: 'forecasts',
  columns: {
    month: ({ month }) => month,
    decisions: ({ decisions }) => decisions,
    expected: ({ expected }) => ({ decimal: expected }),
    low90: ({ low90 }) => ({ decimal: low90 }),
    high90: ({ high90 }) => ({ decimal: high90 }),
    var95: ({ var95 }) => ({ decimal: var95 }),
    es95: ({ es95 }) => ({ decimal: es95 }),
    realised: ({ realised }) => (realised === null ? null : { decimal: realised }),
    currency: ({ currency }) => currency,
    basis: ({ basis }) => basis,
    status: ({ status }) => status,
    is_exception: ({ is_exception }) => is_exception,
    made_at: ({ made_at }) => made_at,
    version: ({ version }) => version,
  },
};

/** The activity type of an erasure. */
export const ERASURE = 'decision.field_erased';

/** The names of the fields that an entry says were erased. */
export function erasedFieldsOf({ data }: Activity): string {
  return Array.isArray(data?.fields) ? data.fields.join(', ') : '';
}

export function erasureReasonOf({ data }: Activity): string {
  return String(data?.reason ?? '');
}

export const ERASURES_CSV: CsvTable<Activity> = {
  name: 'erasures',
  columns: {
    activity_id: ({ activity_id }) => activity_id,
    created_at: ({ created_at }) => created_at,
    decision_id: ({ subject }) => subject,
    fields: erasedFieldsOf,
    actor: ({ actor }) => actor,
    reason: erasureReasonOf,
    seq: ({ seq }) => seq,
    hash: ({ hash }) => hash,
  },
};
