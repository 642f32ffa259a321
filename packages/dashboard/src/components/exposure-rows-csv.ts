import type { ExposureRows } from '@decision-ledger/client/api/exposure';
import { csvDecimal } from '@decision-ledger/contract/csv';
import type { CsvTable } from './csv/csv-button.tsx';

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
