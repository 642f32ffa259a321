import type { CsvTable } from '../../components/csv/csv-button.tsx';
import { type Statement, stepsOf } from './statement.ts';

interface FigureLine {
  readonly figure: string;
  readonly amount: string;
  readonly currency: string;
}

export const FIGURES_CSV: CsvTable<FigureLine> = {
  name: 'statement',
  columns: {
    figure: ({ figure }) => figure,
    amount: ({ amount }) => ({ decimal: amount }),
    currency: ({ currency }) => currency,
  },
};

/** The figures of the table, those of its notes, and the money that no figure has. */
export function figureLinesOf(statement: Statement): FigureLine[] {
  const { pnl, exposure } = statement;
  const { low, high } = pnl.confidence_interval;
  const { low90, high90, var95, p50, realised, open } = exposure.aggregate;
  const interval = Object.entries({ low, high });
  const risk = Object.entries({ low90, high90, var95, p50, realised, open });
  return [
    ...stepsOf(statement).map(({ figure, amount, currency }) => ({ figure, amount, currency })),
    ...interval.map(([name, amount]) => ({
      ...{ figure: `expected.net.${name}`, amount, currency: pnl.currency },
    })),
    ...risk.map(([name, amount]) => ({
      ...{ figure: `exposure.${name}`, amount, currency: exposure.currency },
    })),
    ...pnl.unconverted.map(({ amount, currency }) => ({
      ...{ figure: 'unconverted', amount, currency },
    })),
  ];
}
