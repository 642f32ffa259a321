import type { Clock } from '../../../platform/clock.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { readSettings } from '../../access/settings/index.js';
import { type Knowledge, learn } from './rules/v1/knowledge.js';
import { selectPatterns } from './store/agent-patterns.js';
import { selectStandingReviews } from './store/link-reviews.js';

const DAY_MS = 86_400_000;
/** Eight half-lives: an older review weighs less than half a percent. */
const MEMORY_DAYS = 720;
const MAX_REVIEWS = 5000;

/** The model, from the settings and reviews of a ledger. */
export async function readKnowledge(db: Queryable, clock: Clock, scope: Scope): Promise<Knowledge> {
  const today = Math.floor(clock.now() / DAY_MS);
  const { attribution } = await readSettings(db, scope);
  const reviews = await selectStandingReviews(db, scope, MAX_REVIEWS);
  const patterns = await selectPatterns(db, scope, today - MEMORY_DAYS);
  return learn(attribution, reviews, patterns, today);
}
