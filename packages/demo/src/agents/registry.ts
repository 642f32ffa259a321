import type { Agent } from '../draft.js';
import { credit } from './credit.js';
import { dunning } from './dunning.js';
import { marketing } from './marketing.js';
import { pricing } from './pricing.js';
import { procurement } from './procurement.js';
import { retention } from './retention.js';
import { supportRefunds } from './support.js';
import { travel } from './travel.js';

/** The agents of the business, by their `agent_id`. */
export const AGENTS = {
  'support-refunds': supportRefunds,
  'subscription-retention': retention,
  'shop-pricing': pricing,
  procurement,
  'trade-credit': credit,
  dunning,
  marketing,
  'travel-rebooking': travel,
} satisfies Readonly<Record<string, Agent>>;

/** The agent whose stated confidence is far above its outcomes. */
export const OVERCONFIDENT = 'travel-rebooking' satisfies keyof typeof AGENTS;
