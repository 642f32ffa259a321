import type { LinkScore } from '@decision-ledger/contract/link';

/** A score as stored with a suggested link. */
export const SCORE: LinkScore = {
  version: 'attribution/v1',
  ...{ probability: 0.9, share: 0.75, exact_share: 0.75, uncalibrated_logit: 1.0986 },
  ...{ candidates: 3, rivals: [] },
  parts: { temporal: 0.9, metadata: null, agent_pattern: null, amount: null },
  evidence: { base: -2.944, temporal: 1.934, identifiers: 3.207 },
  weights: { temporal: 0.35, metadata: 0.3, agent_pattern: 0.2, amount: 0.15 },
  half_life_hours: 72,
  calibration: { slope: 1, intercept: 0 },
};
