import type { JsonValue } from '@decision-ledger/proof/gate';
import { normaliseKey } from './canonical.js';
import { Collector } from './collector.js';
import type { Features } from './mention.js';

/** The payload of a decision or event. */
export interface Payload {
  readonly metadata?: JsonValue;
  readonly inputs?: JsonValue;
  readonly outputs?: JsonValue;
  /** Options that the decision weighed. */
  readonly alternatives?: JsonValue;
  /** The reference of an event. */
  readonly external_id?: string;
}

/**
 * Extracts what can be compared. Linear in the payload, and bounded: each field has its own budget, so
 * that a large one leaves capacity for the others.
 */
export function extractFeatures(payload: Payload): Features {
  const collector = new Collector();
  if (payload.external_id !== undefined) collector.read('externalid', payload.external_id);
  collector.read('', payload.metadata);
  collector.read('', payload.outputs);
  collector.read('', payload.inputs);
  collector.read('', payload.alternatives);
  return collector.features();
}

// No "cancelled": it is what a cancellation reports when it succeeds.
const FAILURES = new Set([
  ...['failed', 'failure', 'fail', 'error', 'declined', 'rejected', 'denied', 'aborted', 'timeout'],
  ...['refused', 'blocked', 'notfound', 'invalid', 'unauthorized'],
]);
const SUCCESS_KEYS = new Set(['success', 'ok', 'succeeded', 'approved', 'allowed']);
const FAILURE_KEYS = new Set(['failed', 'iserror', 'denied', 'declined', 'rejected', 'error']);
const STATUS_KEYS = new Set(['status', 'outcome', 'result', 'state', 'decision']);

/** Whether the outputs of a decision report that the action failed or was denied. */
export function saysItFailed(outputs: JsonValue | undefined): boolean {
  if (typeof outputs !== 'object' || outputs === null || Array.isArray(outputs)) return false;
  for (const [name, value] of Object.entries(outputs)) {
    const key = normaliseKey(name.slice(0, 100));
    if (FAILURE_KEYS.has(key) && value === true) return true;
    if (SUCCESS_KEYS.has(key) && value === false) return true;
    if (key === 'error' && typeof value === 'string' && value !== '') return true;
    if (key === 'error' && typeof value === 'object' && value !== null) return true;
    if (STATUS_KEYS.has(key) && typeof value === 'string' && value.length <= 100) {
      if (FAILURES.has(normaliseKey(value))) return true;
    }
  }
  return false;
}
