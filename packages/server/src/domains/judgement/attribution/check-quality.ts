import { lockHead } from '../../../platform/chain/lock-head.js';
import type { Queryable, Transaction } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Scope } from '../../../platform/scope.js';
import { monthBefore, monthOf } from './audit-plan.js';
import { readAudits } from './audited.js';
import { type FoundDrift, findDrifts, keepDrifts } from './drifts.js';
import type { ModelTools } from './models.js';
import { isLabelWithdrawn, LEAST_PRECISION, labelWindow } from './rules/label-state.js';
import { type Quality, qualityOf } from './rules/quality.js';
import {
  lockState,
  type QualityState,
  selectQualityState,
  updateChecked,
  updateLabel,
} from './store/attribution-states.js';
import { selectLastReview } from './store/event-reviews.js';
import { insertWaitingMatched } from './store/events-to-score.js';

const DAY_MS = 86_400_000;

/** What a check found. */
interface Findings {
  readonly now: number;
  readonly state: QualityState;
  readonly reviews: number;
  readonly quality: Quality;
  readonly drifts: readonly FoundDrift[];
}

/**
 * Decides from the audits whether suggestions may be labelled `matched`, each day and after each review,
 * and looks for drift each day. After a change of the label, the events that it concerns wait to be scored.
 */
export async function checkQuality(tools: ModelTools, scope: Scope): Promise<void> {
  const { db, clock } = tools;
  const now = clock.now();
  const today = Math.floor(now / DAY_MS);
  const state = await selectQualityState(db, scope);
  const reviews = await selectLastReview(db, scope);
  const isNewDay = state.checked_day !== today;
  if (!isNewDay && state.checked_reviews === reviews) return;
  const window = { start: labelWindow(now), end: undefined };
  const quality = qualityOf(await readAudits(db, scope, window));
  const drifts = isNewDay ? await recentDrifts(db, scope, now) : [];
  await db.transaction(async (tx) => {
    await lockHead(tx, scope, 'activity');
    await lockState(tx, scope);
    const locked = await selectQualityState(tx, scope);
    if (locked.checked_day !== state.checked_day) return;
    if (locked.checked_reviews !== state.checked_reviews) return;
    await decideLabel(tools, tx, scope, { now, state, reviews, quality, drifts });
    await keepDrifts(tx, scope, drifts, now);
    await updateChecked(tx, scope, today, reviews);
  });
}

/** Of the current month and the one before. */
async function recentDrifts(db: Queryable, scope: Scope, now: number): Promise<FoundDrift[]> {
  const months = [monthBefore(now), monthOf(now)].map((day) => day.slice(0, 7));
  return findDrifts(db, scope, months);
}

async function decideLabel(
  { recordActivity }: ModelTools,
  tx: Transaction,
  scope: Scope,
  { now, state, quality }: Findings,
): Promise<void> {
  const isWithdrawn = isLabelWithdrawn(
    { isWithdrawn: state.label_withdrawn, changedAt: state.label_changed_at },
    quality,
    now,
  );
  if (isWithdrawn === state.label_withdrawn) return;
  const { matched } = quality.precision;
  await recordActivity(tx, scope, {
    type: isWithdrawn ? 'attribution.label_withdrawn' : 'attribution.label_restored',
    actor: 'engine',
    subject: uuidToId('led', scope.ledgerId),
    data: {
      label: 'matched',
      least_precision: LEAST_PRECISION,
      precision: matched === null ? null : { ...matched },
      answered: quality.answered,
      audits_since: new Date(labelWindow(now)).toISOString().slice(0, 10),
    },
  });
  await updateLabel(tx, scope, isWithdrawn, now);
  await insertWaitingMatched(tx, scope);
}
