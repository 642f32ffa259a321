import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { type ActionTypeModel, actionTypeModel } from './action-type.js';
import { type Estimate, estimate, type Facts } from './estimate.js';
import type { Experience } from './experience.js';
import { own } from './own.js';

export type { Estimate, Facts } from './estimate.js';
export type { ActionTypeExperience, Experience, Outcomes, Oversight } from './experience.js';

/** Of the model: whatever changes a figure changes it too. */
export const LIABILITY_VERSION = 'liability/v1';

/** @param asOf ms */
export type Estimator = (facts: Facts, asOf: number) => Estimate;

/**
 * Estimates of the decisions of a ledger. What depends on the action type alone is worked out once;
 * action types that nothing is known of share one model, so that their number costs no memory.
 */
export function estimator(settings: LiabilitySettings, experience: Experience): Estimator {
  const models = new Map<string, ActionTypeModel>();
  const tables = [
    settings.matrix,
    settings.benchmarks,
    settings.loss_horizon_days_by_action_type,
    experience.action_types,
  ];
  let ofOthers: ActionTypeModel | undefined;

  function modelOf(actionType: string): ActionTypeModel {
    const known = models.get(actionType);
    if (known !== undefined) return known;
    if (!tables.some((table) => Object.hasOwn(table, actionType))) {
      ofOthers ??= actionTypeModel(settings, actionType);
      return ofOthers;
    }
    const model = actionTypeModel(settings, actionType, own(experience.action_types, actionType));
    models.set(actionType, model);
    return model;
  }

  return (facts, asOf) => estimate(modelOf(facts.actionType), facts, asOf);
}
