import type { LinkScore } from '@decision-ledger/contract/link';

/** A score as stored with a suggested link. */
export const SCORE: LinkScore = {
  version: 'attribution/v1',
  ...{ model: 1, probability: 0.9, share: 0.75, none_share: 0.1, left_share: 1 },
  ...{ candidates: 3, rivals: [] },
  features: { base: 1, time: 1, identifier_exact: 2 },
  evidence: { base: -2.944, time: 1.934, identifier_exact: 3.207 },
};
