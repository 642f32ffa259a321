import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { own } from './own.js';

/** What is expected of an action type before it has any experience of its own. */
export interface Scenario {
  /** That of its benchmark, or else of its likelihood. */
  readonly lossRate: number;
  /** At risk, in the base currency. */
  readonly amount: number;
}

/** The risk matrix read at the cell of an action type. */
export function scenarioOf(settings: LiabilitySettings, actionType: string): Scenario {
  const { likelihood, severity } = own(settings.matrix, actionType) ?? settings.default_cell;
  const benchmark = own(settings.benchmarks, actionType);
  return {
    lossRate: benchmark?.loss_rate ?? settings.likelihoods[likelihood],
    amount: Number(settings.severities[severity]),
  };
}
