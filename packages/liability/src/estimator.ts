import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { type ActionTypeModel, actionTypeModel } from './action-type.js';
import { type Estimate, estimate, type Facts } from './estimate.js';
import type { Experience } from './experience.js';
import { own } from './scenario.js';

/** Version of the model: any change that affects a figure needs a new one. */
export const LIABILITY_VERSION = 'liability/v1';

/** The models of a ledger's action types, each computed once. */
export interface Estimator {
  /**
   * @param asOf ms
   * @param responseCost that of the settings, unless the amounts are in another currency
   */
  estimate(facts: Facts, asOf: number, responseCost?: number): Estimate;
  modelOf(actionType: string): ActionTypeModel;
}

/**
 * Estimates the decisions of a ledger. Action types without settings or experience share one model, so that
 * their number does not use memory.
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
    const learned = own(experience.action_types, actionType);
    const model = actionTypeModel(settings, actionType, experience.dispersion, learned);
    models.set(actionType, model);
    return model;
  }

  return {
    modelOf,
    estimate(facts, asOf, responseCost) {
      const model = modelOf(facts.actionType);
      return estimate(model, facts, asOf, responseCost ?? model.responseCost);
    },
  };
}
