import type { LinkBody } from '@decision-ledger/contract/link';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { type JsonValue, parseJson } from '@decision-ledger/proof/gate';
import type { WhenOfLink } from '@decision-ledger/proof/when';
import { type IdFactory, uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { type ActivityChange, recordActivities, recordActivity } from '../../log/activity/index.js';
import { updateMoney } from '../financial-events/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { deletionOf, describe, ENGINE, type Replacement, replaceLinks } from './engine-links.js';
import { datedChanges, isHuman, isInherited, whenOfLink } from './event-links.js';
import { displacedSuggestions, shareLeft } from './rules/share.js';
import { type LinkRow, selectLinksOfEvents, updateDeletedLinks } from './store/links.js';

/** A link that the engine suggests. */
export interface SuggestedLink {
  /** UUID. */
  readonly decisionId: string;
  readonly strength: number;
  readonly linkType: LinkBody['link_type'];
  readonly reversal: boolean;
  readonly label: 'matched' | 'guessed';
  /** How much a review of it would teach; 0 or more. */
  readonly reviewPriority: number;
  readonly score: { readonly [name: string]: JsonValue };
}

/** All links that the engine suggests for one event. */
export interface SuggestedLinks {
  /** UUID. */
  readonly eventId: string;
  readonly suggested: readonly SuggestedLink[];
}

/**
 * Replaces the suggested links of events by those that the engine computed; those that people made or
 * reviewed stay. If they hardly differ,
 * nothing changes, so that repeating a run has no effect.
 */
export async function writeSuggestions(
  tx: LedgerWriter,
  hooks: RecordHooks,
  events: readonly SuggestedLinks[],
): Promise<void> {
  const eventIds = events.map(({ eventId }) => eventId);
  const stored = await selectLinksOfEvents(tx, eventIds);
  const plans = events.map((event) => {
    const own = stored.filter(({ event_id }) => event_id === event.eventId);
    return planFor(tx.ids, own, event);
  });
  const changed = await replaceLinks(tx, plans, suggestionOf);
  if (changed.length > 0) await updateMoney(tx, hooks, changed);
}

function planFor(
  ids: IdFactory,
  all: readonly LinkRow[],
  { eventId, suggested: wanted }: SuggestedLinks,
): Replacement {
  const stored = all.filter(({ status }) => status === 'ML_SUGGESTED');
  const inherited = all.filter(isInherited);
  // What is taken from the payment gives way to a cause of its own, and to nothing less.
  const isKept = inherited.length > 0 && !hasOwnCause(wanted, inherited);
  if (isKept || isUnchanged(all, stored, wanted)) return { dropped: [], changed: [], added: [] };
  const next = (link: LinkRow) => wanted.find((one) => isSame(link, one));
  return {
    dropped: [...stored.filter((link) => next(link) === undefined), ...inherited],
    changed: stored.flatMap((link) => {
      const to = next(link);
      const isOther =
        to !== undefined && (to.strength !== link.correlation_strength || to.label !== link.label);
      return isOther ? [{ ...link, ...scoreOf(to) }] : [];
    }),
    added: wanted
      .filter((one) => !stored.some((link) => isSame(link, one)))
      .map((one) => newLink(ids, eventId, one)),
  };
}

/** Whether links that the engine suggests are certain enough, and name another decision than those of the payment. */
function hasOwnCause(wanted: readonly SuggestedLink[], inherited: readonly LinkRow[]): boolean {
  const known = new Set(inherited.map(({ decision_id }) => decision_id));
  return wanted.some(({ label, decisionId }) => label === 'matched' && !known.has(decisionId));
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

function scoreOf({ strength, score, label, reviewPriority }: SuggestedLink) {
  return {
    correlation_strength: strength,
    score: canonicalJson({ ...score }),
    review_priority: reviewPriority,
    label,
  };
}

function newLink(ids: IdFactory, eventId: string, suggested: SuggestedLink): LinkRow {
  return {
    link_id: ids.uuid(),
    decision_id: suggested.decisionId,
    event_id: eventId,
    link_type: suggested.linkType,
    reversal: suggested.reversal,
    attribution_method: 'probabilistic',
    status: 'ML_SUGGESTED',
    notes: null,
    created_by: ENGINE,
    created_at: 0,
    reviewed_by: null,
    reviewed_at: null,
    deleted_at: null,
    inherited_from: null,
    ...scoreOf(suggested),
  };
}

function suggestionOf(link: LinkRow, when: WhenOfLink): ActivityChange {
  const score = link.score === null ? null : parseJson(link.score);
  return {
    type: 'link.suggested',
    actor: ENGINE,
    subject: uuidToId('lnk', link.link_id),
    when,
    data: { ...describe(link), score },
  };
}

/** Soft-deletes the suggestions for reports (UUIDs) that do not lead their movements. That is no rejection. */
export async function dropSuggestions(
  tx: LedgerWriter,
  eventIds: readonly string[],
): Promise<void> {
  const links = await selectLinksOfEvents(tx, eventIds);
  const dropped = links.filter((link) => !isHuman(link));
  if (dropped.length === 0) return;
  const deleted = await datedChanges(tx, dropped, (link, when) => deletionOf(link, when, ENGINE));
  await updateDeletedLinks(
    tx,
    dropped.map(({ link_id }) => link_id),
    await recordActivities(tx, deleted),
  );
}

/**
 * Soft-deletes the suggestions that no longer fit beside the links of people. That is no rejection and
 * teaches nothing.
 * @param others the other live links of the event
 * @param taken the link that a person made or confirmed
 */
export async function dropDisplaced(
  tx: LedgerWriter,
  by: Actor,
  others: readonly LinkRow[],
  taken: Pick<LinkRow, 'correlation_strength'>,
): Promise<void> {
  const left = shareLeft([...others.filter(isHuman), taken]);
  const suggestions = others.filter((other) => !isHuman(other));
  for (const rival of displacedSuggestions(suggestions, left)) await dropSuggestion(tx, by, rival);
}

async function dropSuggestion(tx: LedgerWriter, { actor }: Actor, link: LinkRow): Promise<void> {
  const when = await whenOfLink(tx, link);
  const deletedAt = await recordActivity(tx, deletionOf(link, when, actor));
  await updateDeletedLinks(tx, [link.link_id], deletedAt);
}
