import type { AgentCall } from './call.js';

/** Where the confidence of a decision is from. */
export interface Confidence {
  /** `metadata.confidence_source` of the decision. */
  readonly source: 'framework' | 'rule' | 'callback' | 'fixed';
  /** Undefined if it does not know this one: the next source is asked. */
  of(call: AgentCall): unknown;
}

/** What the framework itself states comes before every other source. */
export const FROM_FRAMEWORK: Confidence = {
  source: 'framework',
  of: ({ confidence }) => confidence,
};

/** Whether a value can be the confidence of a decision. */
export function isConfidence(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
