import type { SettingsAnswer } from '@decision-ledger/client/api/settings-forms';
import { present } from '../../app/search-params.ts';

/** A value at a path, and what it says. */
export type OutcomeRule = SettingsAnswer['liability']['outcomes']['values'][number];

export const OUTCOMES = ['denied', 'failed', 'unknown', 'done'] as const;

/** A rule as it is typed: paths and values with commas between them. */
export interface RuleDraft {
  readonly outcome: OutcomeRule['outcome'];
  readonly paths: string;
  readonly values: string;
  /** Empty: for all actions. */
  readonly unlessAction: string;
}

export const EMPTY: RuleDraft = { outcome: 'denied', paths: '', values: '', unlessAction: '' };

/** The typed rule. `true` and `false` are the boolean values. */
export function ruleOf({ outcome, paths, values, unlessAction }: RuleDraft): OutcomeRule {
  const action = unlessAction.trim();
  return {
    outcome,
    paths: partsOf(paths),
    values: partsOf(values).map((value) => BOOLEANS.get(value) ?? value),
    ...present({ unless_action: action === '' ? undefined : action }),
  };
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** What identifies a rule among others. */
export const keyOf = (rule: OutcomeRule): string => JSON.stringify(rule);
