import type { SettingsAnswer } from '@decision-ledger/client/api/settings-forms';
import type { CsvTable } from '../../../components/csv/csv-button.tsx';
import { actionTypesOf, type Cell, draftOf } from './matrix.ts';

interface MatrixLine {
  /** Null: all others. */
  readonly action_type: string | null;
  readonly cell: Cell;
  readonly settings: SettingsAnswer;
}

export const MATRIX_CSV: CsvTable<MatrixLine> = {
  name: 'risk-matrix',
  columns: {
    action_type: ({ action_type }) => action_type,
    likelihood: ({ cell }) => cell.likelihood,
    likelihood_rate: ({ cell, settings }) => settings.liability.likelihoods[cell.likelihood],
    benchmark_loss_rate: ({ action_type, settings }) =>
      action_type === null ? null : settings.liability.benchmarks[action_type]?.loss_rate,
    severity: ({ cell }) => cell.severity,
    severity_amount: ({ cell, settings }) => ({
      decimal: settings.liability.severities[cell.severity],
    }),
    currency: ({ settings }) => settings.base_currency,
  },
};

/** The cells that are in force, whatever is being edited. */
export function matrixLinesOf(
  settings: SettingsAnswer,
  recorded: readonly string[],
): readonly MatrixLine[] {
  const saved = draftOf(settings.liability);
  const { cells, others } = saved;
  return [
    ...actionTypesOf(saved, recorded).map((action_type) => ({
      ...{ action_type, cell: cells.get(action_type) ?? others, settings },
    })),
    { action_type: null, cell: others, settings },
  ];
}
