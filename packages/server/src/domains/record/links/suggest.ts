import { canonicalJson } from '@decision-ledger/proof/canonical';
import type { Transaction } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Actor } from '../../../platform/principal.js';
import type { Scope } from '../../../platform/scope.js';
import type { SuggestedLink, SuggestedLinks } from '../../judgement/attribution/index.js';
import { recalculate } from '../../judgement/liability/index.js';
import type { LinkTools } from './create.js';
import {
  insertLink,
  type LinkRow,
  selectLinksOfEvent,
  updateDeleted,
  updateSuggestion,
} from './store/links.js';

/** Actor of suggestions in the chain of activity. */
const ENGINE = 'engine';

/**
 * Replaces the suggested links of events by those that the engine computed. If they hardly differ,
 * nothing changes, so that repeating a run has no effect.
 */
export async function writeSuggestions(
  tools: LinkTools,
  tx: Transaction,
  scope: Scope,
  events: readonly SuggestedLinks[],
): Promise<void> {
  const changed: string[] = [];
  for (const event of events) {
    if (await suggestFor(tools, tx, scope, event)) changed.push(event.eventId);
  }
  await recalculate(tools, tx, scope, changed);
}

/** @returns whether any link changed */
async function suggestFor(
  tools: LinkTools,
  tx: Transaction,
  scope: Scope,
  { eventId, suggested: wanted }: SuggestedLinks,
): Promise<boolean> {
  const all = await selectLinksOfEvent(tx, scope, eventId);
  const stored = all.filter(({ status }) => status === 'ML_SUGGESTED');
  if (isUnchanged(all, stored, wanted)) return false;
  for (const link of stored) {
    const next = wanted.find((one) => isSame(link, one));
    if (next === undefined) await dropSuggestion(tools, tx, { scope, actor: ENGINE }, link);
    else if (next.strength !== link.correlation_strength || next.label !== link.label) {
      await change(tools, tx, scope, link, next);
    }
  }
  for (const next of wanted) {
    if (!stored.some((link) => isSame(link, next))) await add(tools, tx, scope, eventId, next);
  }
  return true;
}

/** Smaller changes of strength are not recorded in the chain of activity. */
const MIN_CHANGE = 0.005;

/** Whether the same links are suggested with about the same strength, and all strengths sum to 1 at most. */
function isUnchanged(
  all: readonly LinkRow[],
  stored: readonly LinkRow[],
  wanted: readonly SuggestedLink[],
): boolean {
  const total = all.reduce((sum, link) => sum + link.correlation_strength, 0);
  return (
    total <= 1 &&
    stored.length === wanted.length &&
    stored.every((link) => {
      const next = wanted.find((one) => isSame(link, one));
      const shift = Math.abs((next?.strength ?? 0) - link.correlation_strength);
      return next !== undefined && shift < MIN_CHANGE && next.label === link.label;
    })
  );
}

function isSame(link: LinkRow, wanted: SuggestedLink): boolean {
  return (
    link.decision_id === wanted.decisionId &&
    link.link_type === wanted.linkType &&
    link.reversal === wanted.reversal
  );
}

async function add(
  { ids, recordActivity }: LinkTools,
  tx: Transaction,
  scope: Scope,
  eventId: string,
  { decisionId, strength, linkType, reversal, label, reviewPriority, score }: SuggestedLink,
): Promise<void> {
  const link_id = ids.uuid();
  const link = {
    link_id,
    decision_id: decisionId,
    event_id: eventId,
    correlation_strength: strength,
    link_type: linkType,
    reversal,
    label,
    attribution_method: 'probabilistic',
    status: 'ML_SUGGESTED',
  } as const;
  const created_at = await recordActivity(tx, scope, {
    type: 'link.suggested',
    actor: ENGINE,
    subject: uuidToId('lnk', link_id),
    data: { ...describe(link), score: { ...score } },
  });
  await insertLink(tx, scope, {
    ...link,
    notes: null,
    score: canonicalJson({ ...score }),
    created_by: ENGINE,
    created_at,
    reviewed_by: null,
    reviewed_at: null,
    deleted_at: null,
    review_priority: reviewPriority,
  });
}

async function change(
  { recordActivity }: LinkTools,
  tx: Transaction,
  scope: Scope,
  link: LinkRow,
  { strength, score, label, reviewPriority }: SuggestedLink,
): Promise<void> {
  const changed = { ...link, correlation_strength: strength, label };
  await recordActivity(tx, scope, {
    type: 'link.suggested',
    actor: ENGINE,
    subject: uuidToId('lnk', link.link_id),
    data: { ...describe(changed), score: { ...score } },
  });
  await updateSuggestion(tx, scope, {
    link_id: link.link_id,
    correlation_strength: strength,
    score: canonicalJson({ ...score }),
    review_priority: reviewPriority,
    label,
  });
}

/** Soft-deletes a suggestion, which is no rejection and teaches nothing. */
export async function dropSuggestion(
  { recordActivity }: LinkTools,
  tx: Transaction,
  { scope, actor }: Actor,
  link: LinkRow,
): Promise<void> {
  const deletedAt = await recordActivity(tx, scope, {
    type: 'link.deleted',
    actor,
    subject: uuidToId('lnk', link.link_id),
    data: describe(link),
  });
  await updateDeleted(tx, scope, link.link_id, deletedAt);
}

type Described = Pick<
  LinkRow,
  | 'decision_id'
  | 'event_id'
  | 'correlation_strength'
  | 'link_type'
  | 'reversal'
  | 'status'
  | 'label'
>;

function describe(link: Described) {
  const { correlation_strength, link_type, reversal, status, label } = link;
  return {
    decision_id: uuidToId('dec', link.decision_id),
    financial_event_id: uuidToId('evt', link.event_id),
    correlation_strength,
    link_type,
    reversal,
    status,
    label: label ?? 'guessed',
  };
}
