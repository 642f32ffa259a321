import {
  MIN_ARM_CUSTOMERS,
  MIN_ARM_DECISIONS,
  MIN_PAYING_CUSTOMERS,
  type NotComparable,
} from '@decision-ledger/contract/experiment';
import { MAX_ARMS, MAX_ASSIGNMENTS } from '@decision-ledger/experiments/sample';
import { type ArmTally, areInconsistent } from '@decision-ledger/experiments/tally';

/** Larger shares of marks that are not valid may have been lost in one arm more than in another. */
const MAX_IGNORED_SHARE = 0.05;

export interface Reason {
  readonly code: NotComparable;
  readonly message: string;
}

/** What is known of an experiment before its decisions are read. */
export interface Outline {
  /** By name; at most one more than MAX_ARMS. */
  readonly arms: readonly string[];
  readonly comparison: string;
  readonly decisions: number;
  readonly ignored: number;
  readonly matured: number;
  /** Matured decisions without a propensity. */
  readonly unweighted: number;
}

/** Whether an experiment is too large to be read. */
export function refuseSize({ arms, matured }: Outline): Reason[] {
  const reasons: Reason[] = [];
  if (matured > MAX_ASSIGNMENTS) {
    const message = `${matured} decisions have matured, and at most ${MAX_ASSIGNMENTS} are analysed: give a new experiment a new id.`;
    reasons.push({ code: 'too_many_assignments', message });
  }
  if (arms.length > MAX_ARMS) {
    const message = `The experiment has more than ${MAX_ARMS} arms: record an arm by a fixed name.`;
    reasons.push({ code: 'too_many_arms', message });
  }
  return reasons;
}

/** Why the arms cannot be compared; empty if they can. */
export function refuseArms(outline: Outline, tallies: readonly ArmTally[]): Reason[] {
  const { arms, comparison, decisions, ignored, unweighted } = outline;
  const reasons: Reason[] = [];
  if (!arms.includes(comparison)) {
    const message = `No decision is in the arm ${JSON.stringify(comparison)}: set the parameter comparison to an arm with decisions.`;
    reasons.push({ code: 'no_comparison_arm', message });
  }
  if (arms.length < 2) {
    const message = 'There is one arm only: without a second one nothing can be compared.';
    reasons.push({ code: 'single_arm', message });
  }
  reasons.push(...refuseNumbers(arms, tallies));
  if (unweighted > 0) {
    const message = `${unweighted} matured decisions have no propensity: record the probability of the arm with each.`;
    reasons.push({ code: 'propensities_missing', message });
  } else if (arms.length > 1 && areInconsistent(tallies)) {
    const message =
      'The propensities do not add up to one over the arms: record the probability with which the ' +
      'decision came into its own arm, and all arms.';
    reasons.push({ code: 'propensities_inconsistent', message });
  }
  if (ignored > MAX_IGNORED_SHARE * (decisions + ignored)) {
    const message = `${ignored} of ${decisions + ignored} marks are not valid, which is more than 5 %.`;
    reasons.push({ code: 'too_many_ignored', message });
  }
  return reasons;
}

function refuseNumbers(arms: readonly string[], tallies: readonly ArmTally[]): Reason[] {
  const reasons: Reason[] = [];
  const below = (own: (tally: ArmTally) => number, minimum: number) =>
    arms.filter((_, place) => {
      const tally = tallies[place];
      return tally === undefined || own(tally) < minimum;
    });
  const few = below((tally) => tally.decisions, MIN_ARM_DECISIONS);
  if (few.length > 0) {
    const message = `Fewer than ${MIN_ARM_DECISIONS} decisions have matured in: ${namesOf(few)}.`;
    reasons.push({ code: 'too_few_decisions', message });
  }
  const small = below((tally) => tally.customers, MIN_ARM_CUSTOMERS);
  if (small.length > 0) {
    const message = `Fewer than ${MIN_ARM_CUSTOMERS} customers have a matured decision in: ${namesOf(small)}.`;
    reasons.push({ code: 'too_few_customers', message });
  }
  const paying = tallies.reduce((sum, tally) => sum + tally.paying, 0);
  if (paying < MIN_PAYING_CUSTOMERS) {
    const message = `The decisions of only ${paying} customers moved money: at least ${MIN_PAYING_CUSTOMERS} are needed.`;
    reasons.push({ code: 'too_little_money', message });
  }
  return reasons;
}

function namesOf(arms: readonly string[]): string {
  return arms.map((arm) => JSON.stringify(arm)).join(', ');
}
