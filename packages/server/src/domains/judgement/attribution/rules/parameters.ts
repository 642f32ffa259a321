import type { AttributionSettings } from '@decision-ledger/contract/attribution';

/** Names the model in every score: another model, another version. */
export const ATTRIBUTION_VERSION = 'attribution/v1';

/** The model's parameters that an organisation sets. */
export type Parameters = AttributionSettings;

/** Probability that a candidate that nothing speaks for is the cause; less is not worth a look. */
export const BASE_RATE = 0.05;
/** How far the weighted parts can move the log-odds. */
export const SCALE = 8.5;
/** What each part is when it says nothing either way. */
export const NEUTRAL = { temporal: 0.25, metadata: 0.1, agent_pattern: 0.25, amount: 0.5 } as const;
/** What equal identifiers add draws near to this, in log-odds, and never reaches it. */
export const MAX_FROM_IDS = 6;
/** Most that an equal stated amount adds. */
export const MAX_FROM_AMOUNT = 3;
/** What each key takes away under which the identifiers differ, and how many keys count. */
export const CONTRADICTION = 5;
export const MAX_CONTRADICTIONS = 2;
/** What a decision loses that states amounts, and not the event's. */
export const OTHER_AMOUNT = 1;
/** What a decision loses that says itself that it failed. */
export const FAILURE = 3;
