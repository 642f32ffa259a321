import type { LiabilityBacktest } from '@decision-ledger/client/api/liability-model';

export const VERDICTS: Readonly<Record<LiabilityBacktest['verdict'], string>> = {
  consistent: 'The forecasts agree with the losses.',
  too_low: 'Losses exceed the value at risk too often: the forecasts are too low.',
  too_high: 'Losses exceed the value at risk too rarely: the forecasts are too high.',
  clustered: 'Months above the value at risk come in a row: their losses share a cause.',
  too_few_periods: 'A verdict needs 24 compared months.',
};

type Month = Pick<LiabilityBacktest['months'][number], 'status' | 'is_exception'>;

/** How a month compares with its forecast. */
export function outcomeOf({ status, is_exception }: Month): string {
  if (status === 'open') return 'Open: losses may still follow';
  if (status === 'changed') return 'Not compared: the month changed later';
  return is_exception === true ? 'Above the value at risk' : 'Within the value at risk';
}
