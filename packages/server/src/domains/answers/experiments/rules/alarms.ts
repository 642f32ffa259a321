import type { ExperimentWarning, NotComparable } from '@decision-ledger/contract/experiment';
import { formatTimestamp } from '@decision-ledger/contract/time';
import {
  type Alarms,
  type Imbalance,
  type Known,
  LEVELS,
} from '@decision-ledger/experiments/alarms';
import type { BalanceTest, Cell } from '@decision-ledger/experiments/balance';

/** What makes a comparison wrong, with its figures and what to do about it. */
interface Alarm {
  readonly code: NotComparable & ExperimentWarning;
  readonly isStrong: boolean;
  readonly message: string;
}

/** @param areUnlinked whether as many events as the gap of the shares have no link */
export function describeAlarms(
  { ratio, imbalance, coverage, shares }: Alarms,
  arms: readonly string[],
  areUnlinked: boolean,
): Alarm[] {
  const alarms: Alarm[] = [];
  const add = (code: Alarm['code'], p: number, message: string) =>
    alarms.push({ code, isStrong: p < LEVELS.strong, message });
  if (ratio !== null && ratio.p < LEVELS.weak)
    add('sample_ratio', ratio.p, ratioMessage(ratio, arms));
  if (imbalance !== null) {
    add('assignment_imbalance', imbalance.test.p, imbalanceMessage(imbalance, arms));
  }
  if (coverage !== null) {
    const { isStrong, means } = coverage;
    const message =
      `Of the money that points at decisions, the share with a link that counts differs between the arms: ${shareList(means, arms)}. ` +
      'Review the suggestions of all arms, or count all of them with labels=confirmed,matched,guessed.';
    alarms.push({ code: 'unequal_links', isStrong, message });
  } else if (shares !== null && areUnlinked) {
    const message =
      `The share of decisions with linked money differs between the arms: ${shareList(shares.means, arms)}. It may be their ` +
      `effect. But at least ${Math.ceil(shares.gap)} events of the same types have no link, which is enough for half of the ` +
      'difference: find out whether they belong to decisions of one arm.';
    alarms.push({ code: 'unequal_links', isStrong: false, message });
  }
  return alarms;
}

const FIND =
  'Record the probability with which each arm was drawn, and all decisions of all arms; repeat the experiment under another id.';

function ratioMessage({ worst, p }: BalanceTest, arms: readonly string[]): string {
  return `The numbers of decisions do not agree with the propensities (p = ${printP(p)}): ${standing(worst, arms)} of all ${worst.decisions}. ${FIND}`;
}

const NAMES: Readonly<Record<Known, string>> = {
  propensity: 'the stated propensity of the second arm by name',
  time: 'the time of the decision',
  prior_net: 'the net money of the customer before',
  prior_decisions: 'the number of decisions of the customer before',
};

function imbalanceMessage({ known, ends, test }: Imbalance, arms: readonly string[]): string {
  const { worst, p } = test;
  const print = (value: number) =>
    known === 'time' ? formatTimestamp(Math.round(value)) : String(Number(value.toPrecision(6)));
  const [below, end] = [ends[worst.band - 1], ends[worst.band]];
  const range = [
    ...(below === undefined ? [] : [`above ${print(below)}`]),
    ...(end === undefined ? [] : [`up to ${print(end)}`]),
  ].join(' and ');
  return (
    `The assignment depends on ${NAMES[known]}, and the propensities do not say so (p = ${printP(p)}): where it is ${range}, ` +
    `${standing(worst, arms)} of ${worst.decisions}. ${FIND}`
  );
}

/** By their weights, decisions of an arm stand for all if the propensities are right. */
function standing({ arm, inArm, standFor }: Cell, arms: readonly string[]): string {
  return `by their propensities, the ${inArm} decisions in ${JSON.stringify(arms[arm])} stand for ${Math.round(standFor)}`;
}

function shareList(means: readonly number[], arms: readonly string[]): string {
  return arms
    .map((arm, place) => `${(100 * (means[place] ?? 0)).toFixed(1)} % in ${JSON.stringify(arm)}`)
    .join(', ');
}

const printP = (p: number): string =>
  p < 1e-6 ? 'under 0.000001' : String(Number(p.toPrecision(2)));
