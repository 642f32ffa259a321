import type { LiabilityBacktest } from '@decision-ledger/client/api/liability-model';
import type { CsvTable } from './csv/csv-button.tsx';

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
