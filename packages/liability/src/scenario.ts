import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';

/** Expectation for an action type without experience. */
export interface Scenario {
  /** From its benchmark, or else from its likelihood. */
  readonly lossRate: number;
  /** At risk, in the base currency. */
  readonly amount: number;
}

/** Reads the risk matrix at the cell of an action type. */
export function scenarioOf(settings: LiabilitySettings, actionType: string): Scenario {
  const { likelihood, severity } = own(settings.matrix, actionType) ?? settings.default_cell;
  const benchmark = own(settings.benchmarks, actionType);
  return {
    lossRate: benchmark?.loss_rate ?? settings.likelihoods[likelihood],
    amount: Number(settings.severities[severity]),
  };
}

/** Own member of a record: an action type may be named `constructor`. */
export function own<Value>(
  record: { readonly [name: string]: Value },
  name: string,
): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
