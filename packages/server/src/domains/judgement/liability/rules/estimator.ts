import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { type ActionTypeModel, actionTypeModel } from './action-type.js';
import { type Estimate, estimate, type Facts } from './estimate.js';
import type { Experience } from './experience.js';
import { own } from './scenario.js';

export type { Estimate, Facts } from './estimate.js';
export type { ActionTypeExperience, Experience, Outcomes, Oversight } from './experience.js';

/** Version of the model: any change that affects a figure needs a new one. */
export const LIABILITY_VERSION = 'liability/v1';

/** @param asOf ms */
export type Estimator = (facts: Facts, asOf: number) => Estimate;

/**
 * Estimates the decisions of a ledger. The model of an action type is computed once; action types without
 * settings or experience share one, so that their number does not use memory.
 */
export function estimator(settings: LiabilitySettings, experience: Experience): Estimator {
  const models = new Map<string, ActionTypeModel>();
  const tables = [
    settings.matrix,
    settings.benchmarks,
    settings.loss_horizon_days_by_action_type,
    experience.action_types,
  ];
  let shared: ActionTypeModel | undefined;

  function modelOf(actionType: string): ActionTypeModel {
    const known = models.get(actionType);
    if (known !== undefined) return known;
    if (!tables.some((table) => Object.hasOwn(table, actionType))) {
      shared ??= actionTypeModel(settings, actionType);
      return shared;
    }
    const model = actionTypeModel(settings, actionType, own(experience.action_types, actionType));
    models.set(actionType, model);
    return model;
  }

  return (facts, asOf) => estimate(modelOf(facts.actionType), facts, asOf);
}
