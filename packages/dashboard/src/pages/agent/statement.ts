import type { Pnl } from '@decision-ledger/client/api/analytics';
import type { ExposureAnalysis } from '@decision-ledger/client/api/exposure';
import type { StatementFigure } from '../../app/search-params.ts';
import {
  absoluteOf,
  coordinateOf,
  differenceOf,
  isZero,
  negated,
  sumOf,
} from '../../format/decimal.ts';

/** What a statement is made of: two answers of the API for the same agent and range. */
export interface Statement {
  readonly pnl: Pnl;
  readonly exposure: ExposureAnalysis;
}

/** `apart`: counted in no total. `hanging`: below zero, and never subtracted. */
type StepKind = 'part' | 'total' | 'matched' | 'expected' | 'apart' | 'hanging';

/** A bar of the waterfall, and a line of the table. */
export interface Step {
  readonly figure: StatementFigure;
  readonly label: string;
  /** As the API answered it. */
  readonly amount: string;
  readonly currency: string;
  readonly kind: StepKind;
  /** Where the bar begins and ends: decimals. */
  readonly start: string;
  readonly end: string;
}

const PARTS = [
  ['revenue', 'Revenue'],
  ['savings', 'Savings'],
  ['costs', 'Costs'],
  ['refunds', 'Refunds'],
  ['losses', 'Losses'],
] as const;

/** The steps of the waterfall, from left to right. */
export function stepsOf({ pnl, exposure }: Statement): readonly Step[] {
  const { currency, confirmed, matched, expected, guessed } = pnl;
  const bar = (figure: StatementFigure, label: string, amount: string, kind: StepKind) => ({
    ...{ figure, label, amount, currency, kind },
  });
  const steps: Step[] = [];
  let level = '0';
  for (const [name, label] of PARTS) {
    const end = sumOf([level, confirmed[name]]);
    steps.push({
      ...bar(`confirmed.${name}`, label, confirmed[name], 'part'),
      ...{ start: level, end },
    });
    level = end;
  }
  const { expected: cost } = exposure.aggregate;
  return [
    ...steps,
    {
      ...bar('confirmed.net', 'Confirmed net', confirmed.net, 'total'),
      ...{ start: '0', end: confirmed.net },
    },
    {
      ...bar('matched.net', 'Matched', matched.net, 'matched'),
      ...{ start: confirmed.net, end: sumOf([confirmed.net, matched.net]) },
    },
    {
      ...bar('expected.net', 'Expected net', expected.net, 'expected'),
      ...{ start: '0', end: expected.net },
    },
    {
      ...bar('guessed.net', 'Guesses', guessed.net, 'apart'),
      ...{ start: '0', end: guessed.net },
    },
    {
      ...bar('exposure', 'Exposure', cost, 'hanging'),
      ...{ currency: exposure.currency, start: '0', end: sumOf(['0', negated(cost)]) },
    },
  ];
}

/** Parts of zero are left out of the drawing, which the table still lists. */
export function drawnStepsOf(steps: readonly Step[]): readonly Step[] {
  return steps.filter(({ kind, amount }) => kind !== 'part' || !isZero(amount));
}

/** Of the money that links take, whatever its sign, the share that people confirmed; null without any. */
export function reviewedShareOf({ confirmed, matched, guessed }: Pnl): number | null {
  const sizeOf = (figures: Pnl['confirmed']) =>
    PARTS.reduce((sum, [name]) => sum + Math.abs(coordinateOf(figures[name])), 0);
  const all = sizeOf(confirmed) + sizeOf(matched) + sizeOf(guessed);
  return all === 0 ? null : sizeOf(confirmed) / all;
}

/** A part of a sentence: words, or an amount. */
export type Phrase = string | { readonly amount: string; readonly currency: string };

/** The statement in words. Every amount in it is a figure of the API. */
export function sentencesOf({ pnl, exposure }: Statement): readonly Phrase[] {
  return [...earnedIn(pnl), ' ', ...riskIn(exposure)];
}

function earnedIn({ currency, expected, confirmed }: Pnl): readonly Phrase[] {
  const money = (amount: string) => ({ amount, currency });
  if (isZero(expected.net) && isZero(confirmed.net)) return ['no net effect is known yet.'];
  const isLoss = expected.net.startsWith('-');
  const net = [isLoss ? 'lost ' : 'earned ', money(absoluteOf(expected.net)), ' net'];
  const isPart = isZero(confirmed.net) || confirmed.net.startsWith('-') === isLoss;
  return isPart
    ? [...net, ', of which ', money(absoluteOf(confirmed.net)), ' confirmed.']
    : [...net, '; its confirmed links alone make ', money(confirmed.net), '.'];
}

function riskIn({ currency, aggregate, decisions }: ExposureAnalysis): readonly Phrase[] {
  if (decisions === 0) return ['It made no decisions in this period.'];
  const money = (amount: string) => ({ amount, currency });
  const { open, realised, var95 } = aggregate;
  const limit = [' (19 in 20: below ', money(differenceOf(realised, var95)), ')'];
  const risk = ['It could still cost ', money(open), ...limit];
  return isZero(realised)
    ? [...risk, '.']
    : [...risk, ', besides ', money(realised), ' that is lost already.'];
}
