import { formatTimestamp } from '@decision-ledger/contract/time';
import { parseJson } from '@decision-ledger/proof/gate';
import { lockHead } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { recordActivity } from '../../log/activity/index.js';
import { readEvent, readLeadAmount, reconsider, updateMoney } from '../financial-events/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { areOpposite } from '../money-signs/index.js';
import { inheritedData, isHuman, whenOfLink } from './event-links.js';
import { lockLink } from './read.js';
import {
  insertLinks,
  type LinkRow,
  selectLinksOfEvent,
  selectLinksOfMovement,
  updateDeletedLinks,
} from './store/links.js';

/**
 * Moves the links that people created or confirmed from a superseded event to its successor, so that a
 * correction at the source does not undo their work. Suggestions are dropped; the engine makes new ones.
 * So is a link that contradicts an earlier one, or one of another report of the movement, only since the amount was
 * corrected: its deletion is recorded, and the correction itself never fails.
 * @param from UUID of the superseded event
 * @param to UUID of the event that superseded it
 */
export async function carryLinks(
  tx: LedgerWriter,
  hooks: RecordHooks,
  { actor }: Actor,
  from: string,
  to: string,
): Promise<void> {
  const links = await selectLinksOfEvent(tx, from);
  const human = links.filter(isHuman);
  const contradict = human.length < 2 ? null : await newContradictions(tx, from, to);
  // Those of a movement never contradict each other, unless a correction turns the direction of its money.
  const others = human.length === 0 ? [] : (await selectLinksOfMovement(tx, to)).filter(isHuman);
  const amount = others.length === 0 ? '0' : await readLeadAmount(tx, to);
  const carried: LinkRow[] = [];
  for (const link of links) {
    await removeLink(tx, hooks, { actor }, uuidToId('lnk', link.link_id));
    if (!isHuman(link)) continue;
    if (contradict !== null && carried.some((earlier) => contradict(earlier, link))) continue;
    if (others.some((other) => areOpposite(other, link, amount))) continue;
    carried.push(link);
    await carryLink(tx, hooks, { actor }, link, to);
  }
  await updateMoney(tx, hooks, [from, to]);
}

/** Whether two links are opposite under the new amount, and were not under the old one. */
async function newContradictions(
  tx: LedgerWriter,
  from: string,
  to: string,
): Promise<(one: LinkRow, other: LinkRow) => boolean> {
  const before = await readEvent(tx, uuidToId('evt', from));
  const after = await readEvent(tx, uuidToId('evt', to));
  return (one, other) =>
    areOpposite(one, other, after.amount) && !areOpposite(one, other, before.amount);
}

async function carryLink(
  tx: LedgerWriter,
  hooks: RecordHooks,
  { actor }: Actor,
  link: LinkRow,
  to: string,
): Promise<void> {
  const link_id = tx.ids.uuid();
  const created_at = await recordActivity(tx, {
    type: 'link.created',
    actor,
    subject: uuidToId('lnk', link_id),
    when: await whenOfLink(tx, { ...link, event_id: to }),
    data: {
      decision_id: uuidToId('dec', link.decision_id),
      financial_event_id: uuidToId('evt', to),
      correlation_strength: link.correlation_strength,
      link_type: link.link_type,
      reversal: link.reversal,
      attribution_method: link.attribution_method,
      status: link.status,
      supersedes: uuidToId('lnk', link.link_id),
      ...formerData(link),
    },
  });
  const carried = { ...link, link_id, event_id: to, created_at, inherited_from: null };
  await insertLinks(tx, [carried]);
  const kind = link.status === 'CONFIRMED' ? 'manual' : 'review';
  const review = { verdict: 'confirmed', kind, at: created_at, answeredBy: null } as const;
  await hooks.linkReviewed(tx, carried, review);
}

/** What a link takes from the one that it replaces, so that its own record proves it. */
function formerData({ notes, score, created_by, reviewed_by, reviewed_at }: LinkRow) {
  return {
    created_by,
    ...(notes !== null && { notes }),
    ...(score !== null && { score: parseJson(score) }),
    ...(reviewed_by !== null && { reviewed_by }),
    ...(reviewed_at !== null && { reviewed_at: formatTimestamp(reviewed_at) }),
  };
}

/**
 * Soft-deletes a link of any status, and withdraws its review from training. Deleting a rejected link
 * withdraws the rejection; deleting any other link again changes nothing.
 * @throws LedgerError `not_found`
 */
export async function removeLink(
  tx: LedgerWriter,
  hooks: RecordHooks,
  { actor }: Actor,
  linkId: string,
): Promise<LinkRow> {
  const link = await lockLink(tx, linkId);
  await lockHead(tx, 'activity');
  const isReviewed = await hooks.isReviewed(tx, link);
  if (link.deleted_at !== null && !isReviewed) return link;
  const deletedAt = await recordActivity(tx, {
    type: 'link.deleted',
    actor,
    subject: uuidToId('lnk', link.link_id),
    when: await whenOfLink(tx, link),
    data: {
      decision_id: uuidToId('dec', link.decision_id),
      financial_event_id: uuidToId('evt', link.event_id),
      status: link.status,
      ...inheritedData(link),
    },
  });
  if (isReviewed) await hooks.reviewWithdrawn(tx, link, deletedAt);
  if (link.deleted_at !== null) {
    await hooks.causesChanged(tx, [link.event_id]);
    return link;
  }
  await updateDeletedLinks(tx, [link.link_id], deletedAt);
  await hooks.linkRemoved(tx, link);
  if (isHuman(link)) await reconsider(tx, [link.event_id]);
  await updateMoney(tx, hooks, [link.event_id]);
  return { ...link, deleted_at: deletedAt };
}
