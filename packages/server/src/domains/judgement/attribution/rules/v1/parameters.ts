import type { AttributionSettings } from '@decision-ledger/contract/attribution';

/** The version of the model, part of every score. */
export const ATTRIBUTION_VERSION = 'attribution/v1';

/** The parameters that are settings. */
export type Parameters = AttributionSettings;

/** Probability of a candidate without evidence; also the least share of a suggestion. */
export const BASE_RATE = 0.05;
/** Log-odds per unit of weight and part. */
export const SCALE = 8.5;
/** Asymptote of what equal identifiers add, in log-odds. */
export const MAX_FROM_IDS = 6;
/** Maximum that an equal stated amount adds. */
export const MAX_FROM_AMOUNT = 3;
/** What each key with differing identifiers subtracts, and how many such keys count. */
export const CONTRADICTION = 5;
export const MAX_CONTRADICTIONS = 2;
/** Subtracted if the decision states amounts, but not that of the event. */
export const OTHER_AMOUNT = 1;
/** Subtracted if the decision reports that it failed. */
export const FAILURE = 3;
