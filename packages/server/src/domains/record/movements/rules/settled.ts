import type { StatedTotal } from './periods.js';
import type { Pair } from './possibilities.js';
import type { Doubt, RuleName } from './tiers.js';

/** Two reports that a rule speaks for. */
export interface Pairing {
  readonly reports: Pair;
  readonly rule: RuleName;
  /** Of reports that add up to one: all of them. */
  readonly sum?: Sum;
}

/** What is asked of reports that may add up to one, and what is paired if they do: the first with each other one. */
export interface Sum {
  readonly whole: string;
  readonly parts: readonly string[];
  readonly pair: readonly string[];
  /** Of all that one source reported of a period; `parts` are the first of them. */
  readonly period?: StatedTotal;
}

/** Two reports that may be of the same money. Of a sum, the first is the whole. */
export interface Doubtful extends Pairing {
  readonly doubt: Doubt;
}

/** The movements that follow from reports, and what is not certain. */
export interface Settled {
  /** All reports, each in one movement. */
  readonly movements: readonly (readonly string[])[];
  /** The pairs that rules made. */
  readonly pairs: readonly Pairing[];
  readonly doubtful: readonly Doubtful[];
}
