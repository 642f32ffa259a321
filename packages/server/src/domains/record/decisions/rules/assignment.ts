import { MAX_EXPERIMENT_NAME } from '@decision-ledger/contract/experiment';
import type { JsonValue } from '@decision-ledger/proof/gate';
import type { Metadata } from './terms.js';

/** How a decision was assigned to an arm of an experiment, as far as its metadata says so. */
export interface Assignment {
  /** Null if the mark names no experiment. */
  readonly experimentId: string | null;
  /** Null if the mark is not valid. */
  readonly arm: string | null;
  /** Null if it is absent, or the mark is not valid. */
  readonly propensity: number | null;
  readonly isValid: boolean;
}

/**
 * Reads `metadata.experiment`. Metadata is free, so a mark that is not valid refuses nothing.
 * @returns null without such a member
 */
export function readAssignment(metadata: Metadata): Assignment | null {
  const mark = metadata?.experiment;
  if (mark === undefined) return null;
  if (mark === null || typeof mark !== 'object' || Array.isArray(mark)) return invalid(null);
  const { id, arm, propensity = null } = mark as { readonly [name: string]: JsonValue };
  if (!isName(id)) return invalid(null);
  if (!isName(arm) || !isPropensity(propensity)) return invalid(id);
  return { experimentId: id, arm, propensity, isValid: true };
}

function invalid(experimentId: string | null): Assignment {
  return { experimentId, arm: null, propensity: null, isValid: false };
}

function isName(value: JsonValue | undefined): value is string {
  if (typeof value !== 'string' || value.length === 0) return false;
  // A character has at most two code units, so a far longer text need not be counted.
  if (value.length > 2 * MAX_EXPERIMENT_NAME) return false;
  return value.length <= MAX_EXPERIMENT_NAME || Array.from(value).length <= MAX_EXPERIMENT_NAME;
}

function isPropensity(value: JsonValue): value is number | null {
  return value === null || (typeof value === 'number' && value > 0 && value <= 1);
}
