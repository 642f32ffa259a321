import { minorUnits } from '@decision-ledger/contract/currency';
import type {
  ExperimentAnalysis,
  ExperimentWarning,
  NotComparable,
} from '@decision-ledger/contract/experiment';
import { LEVELS } from '@decision-ledger/experiments/alarms';
import type { BalanceTest } from '@decision-ledger/experiments/balance';
import type { ArmComparison } from '@decision-ledger/experiments/comparison';
import {
  type Estimates,
  type IntervalEstimate,
  minimumDetectableEffect,
} from '@decision-ledger/experiments/estimate';
import type { ArmTally } from '@decision-ledger/experiments/tally';
import { Big } from 'big.js';

/** Half to even, so that rounding errors do not accumulate. */
const HALF_EVEN = 2;

/** Digits of figures for each decision: a cent spread over many decisions must not vanish. */
const MEAN_DIGITS = 6;

/** Fewer customers with money in an arm make the intervals of skewed amounts too narrow. */
const FEW_PAYING = 40;

/** Money as decimal text, to the minor unit of its currency. */
export function money(amount: Big | string | number, currency: string): string {
  return decimal(amount, minorUnits(currency));
}

function decimal(amount: Big | string | number, digits: number): string {
  const text = new Big(amount).toFixed(digits, HALF_EVEN);
  return /^-0(\.0+)?$/.test(text) ? text.slice(1) : text;
}

const mean = (value: number): string => decimal(value, MEAN_DIGITS);

/** The answer for one arm. */
export interface DescribedArm {
  readonly arm: string;
  readonly tally: ArmTally;
  /** Decimal. */
  readonly net: Big;
  readonly savings: Big;
}

function intervalOf({ value, low, high }: IntervalEstimate) {
  return { value: mean(value), low: mean(low), high: mean(high) };
}

export function describeArms(
  arms: readonly DescribedArm[],
  estimates: Estimates | null,
  currency: string,
): ExperimentAnalysis['arms'] {
  return arms.map(({ arm, tally, net, savings }, place) => {
    const own = estimates?.means[place];
    return {
      arm,
      decisions: tally.decisions,
      customers: tally.customers,
      paying_customers: tally.paying,
      net: money(net, currency),
      claimed_savings: money(savings, currency),
      mean: own === undefined ? null : intervalOf(own),
    };
  });
}

/** @param comparison place of the comparison arm */
export function describeDifferences(
  arms: readonly DescribedArm[],
  comparison: number,
  { plain, adjusted }: ArmComparison,
  currency: string,
): ExperimentAnalysis['differences'] {
  return arms.flatMap(({ arm, tally }, place) => {
    const own = (adjusted ?? plain).differences[place];
    const raw = plain.differences[place];
    if (place === comparison || own === undefined || raw === undefined) return [];
    const total = (value: number) => money(new Big(value).times(tally.decisions), currency);
    return [
      {
        arm,
        ...intervalOf(own),
        standard_error: mean(own.standardError),
        degrees_of_freedom: Number(own.degrees.toFixed(1)),
        minimum_detectable: mean(minimumDetectableEffect(own)),
        without_covariates: intervalOf(raw),
        measured: { net: total(own.value), low: total(own.low), high: total(own.high) },
      },
    ];
  });
}

export function describeRatio(test: BalanceTest | null): ExperimentAnalysis['sample_ratio'] {
  if (test === null) return null;
  return {
    statistic: Number(test.statistic.toFixed(6)),
    degrees_of_freedom: test.degrees,
    p_value: Number(test.p.toPrecision(6)),
    is_suspicious: test.p < LEVELS.strong,
  };
}

/** What warnings are about. */
export interface Doubts {
  readonly arms: readonly DescribedArm[];
  readonly ignored: number;
  readonly hasUnconverted: boolean;
  readonly countsSavings: boolean;
}

/** Those that are no alarm about propensities or links: see `describeAlarms`. */
type PlainWarning = Exclude<ExperimentWarning, NotComparable>;

const MESSAGES: Readonly<Record<PlainWarning, string>> = {
  assignments_ignored:
    'Some decisions name the experiment in a mark that is not valid, and do not count.',
  amounts_unconverted: 'Some money has no exchange rate, and does not count.',
  few_paying_customers:
    `In an arm, fewer than ${FEW_PAYING} customers have decisions that moved money. If a few large ` +
    'amounts decide, the intervals are too narrow.',
  savings_in_one_arm:
    'Only some arms have savings. A saving is a claim: without savings in the other arms, the ' +
    'difference contains the claim itself. Compare with savings=exclude.',
};

export function analysisWarnings(doubts: Doubts): ExperimentAnalysis['warnings'] {
  const { arms, ignored, hasUnconverted, countsSavings } = doubts;
  const saving = arms.filter(({ savings }) => !savings.eq(0)).length;
  const applies: Readonly<Record<PlainWarning, boolean>> = {
    assignments_ignored: ignored > 0,
    amounts_unconverted: hasUnconverted,
    few_paying_customers: arms.some(({ tally }) => tally.paying < FEW_PAYING),
    savings_in_one_arm: countsSavings && saving > 0 && saving < arms.length,
  };
  const codes: readonly PlainWarning[] = [
    ...(['assignments_ignored', 'amounts_unconverted'] as const),
    ...(['few_paying_customers', 'savings_in_one_arm'] as const),
  ];
  return codes.filter((code) => applies[code]).map((code) => ({ code, message: MESSAGES[code] }));
}
