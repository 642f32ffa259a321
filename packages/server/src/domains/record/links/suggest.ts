import { canonicalJson } from '@decision-ledger/proof/canonical';
import type { Transaction } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
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

/** Who suggests, where the chain of activity asks who it was. */
const ENGINE = 'engine';

/**
 * Makes the suggested links of events those that the engine wants now. Where they hardly differ they
 * are left alone, so that looking again changes nothing.
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
  const standing = all.filter(({ status }) => status === 'ML_SUGGESTED');
  if (saysTheSame(all, standing, wanted)) return false;
  for (const link of standing) {
    const next = wanted.find((one) => isSame(link, one));
    if (next === undefined) await drop(tools, tx, scope, link);
    else if (next.strength !== link.correlation_strength) {
      await change(tools, tx, scope, link, next);
    }
  }
  for (const next of wanted) {
    if (!standing.some((link) => isSame(link, next))) await add(tools, tx, scope, eventId, next);
  }
  return true;
}

/** What shifts by less is not worth a record in the chain. */
const WORTH_TELLING = 0.005;

/** Whether the same links are suggested about as strongly, and hold no more than the event. */
function saysTheSame(
  all: readonly LinkRow[],
  standing: readonly LinkRow[],
  wanted: readonly SuggestedLink[],
): boolean {
  const total = all.reduce((sum, link) => sum + link.correlation_strength, 0);
  return (
    total <= 1 &&
    standing.length === wanted.length &&
    standing.every((link) => {
      const next = wanted.find((one) => isSame(link, one));
      const shift = Math.abs((next?.strength ?? 0) - link.correlation_strength);
      return next !== undefined && shift < WORTH_TELLING;
    })
  );
}

function isSame(link: LinkRow, wanted: SuggestedLink): boolean {
  return link.decision_id === wanted.decisionId && link.link_type === wanted.linkType;
}

async function add(
  { ids, recordActivity }: LinkTools,
  tx: Transaction,
  scope: Scope,
  eventId: string,
  { decisionId, strength, linkType, reviewPriority, score }: SuggestedLink,
): Promise<void> {
  const link_id = ids.uuid();
  const link = {
    link_id,
    decision_id: decisionId,
    event_id: eventId,
    correlation_strength: strength,
    link_type: linkType,
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
    ...{ notes: null, score: canonicalJson({ ...score }), created_by: ENGINE, created_at },
    ...{ reviewed_by: null, reviewed_at: null, deleted_at: null },
    review_priority: reviewPriority,
  });
}

async function change(
  { recordActivity }: LinkTools,
  tx: Transaction,
  scope: Scope,
  link: LinkRow,
  { strength, score, reviewPriority }: SuggestedLink,
): Promise<void> {
  const changed = { ...link, correlation_strength: strength };
  await recordActivity(tx, scope, {
    type: 'link.suggested',
    actor: ENGINE,
    subject: uuidToId('lnk', link.link_id),
    data: { ...describe(changed), score: { ...score } },
  });
  await updateSuggestion(tx, scope, {
    ...{ link_id: link.link_id, correlation_strength: strength },
    ...{ score: canonicalJson({ ...score }), review_priority: reviewPriority },
  });
}

async function drop(
  { recordActivity }: LinkTools,
  tx: Transaction,
  scope: Scope,
  link: LinkRow,
): Promise<void> {
  const deletedAt = await recordActivity(tx, scope, {
    type: 'link.deleted',
    actor: ENGINE,
    subject: uuidToId('lnk', link.link_id),
    data: describe(link),
  });
  await updateDeleted(tx, scope, link.link_id, deletedAt);
}

type Described = Pick<
  LinkRow,
  'decision_id' | 'event_id' | 'correlation_strength' | 'link_type' | 'status'
>;

function describe({ decision_id, event_id, correlation_strength, link_type, status }: Described) {
  return {
    decision_id: uuidToId('dec', decision_id),
    financial_event_id: uuidToId('evt', event_id),
    ...{ correlation_strength, link_type, status },
  };
}
