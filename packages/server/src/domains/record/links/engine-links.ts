import type { WhenOfLink } from '@decision-ledger/proof/when';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { type ActivityChange, recordActivities } from '../../log/activity/index.js';
import { datedChanges, inheritedData } from './event-links.js';
import { insertLinks, type LinkRow, updateDeletedLinks, updateSuggestions } from './store/links.js';

/** Actor of suggestions in the chain of activity, and of inherited links. */
export const ENGINE = 'engine';

/** What changes for one event; `created_at` of an added link is set when it is recorded. */
export interface Replacement {
  readonly dropped: readonly LinkRow[];
  readonly changed: readonly LinkRow[];
  readonly added: readonly LinkRow[];
}

/**
 * Records and stores what changes of the links that the engine makes.
 * @param changeOf the record of a link that changed or was added
 * @returns the events (UUIDs) whose links changed
 */
export async function replaceLinks(
  tx: LedgerWriter,
  replacements: readonly Replacement[],
  changeOf: (link: LinkRow, when: WhenOfLink) => ActivityChange,
): Promise<string[]> {
  const dropped = replacements.flatMap((one) => one.dropped);
  const changed = replacements.flatMap((one) => one.changed);
  const added = replacements.flatMap((one) => one.added);
  const all = [...dropped, ...changed, ...added];
  if (all.length === 0) return [];
  const at = await recordActivities(tx, [
    ...(await datedChanges(tx, dropped, (link, when) => deletionOf(link, when, ENGINE))),
    ...(await datedChanges(tx, [...changed, ...added], changeOf)),
  ]);
  await updateDeletedLinks(
    tx,
    dropped.map(({ link_id }) => link_id),
    at,
  );
  await updateSuggestions(tx, changed);
  await insertLinks(
    tx,
    added.map((link) => ({ ...link, created_at: at })),
  );
  return [...new Set(all.map(({ event_id }) => event_id))];
}

/** The record of a link that the engine drops, which is no rejection. */
export function deletionOf(link: LinkRow, when: WhenOfLink, actor: string): ActivityChange {
  return {
    type: 'link.deleted',
    actor,
    subject: uuidToId('lnk', link.link_id),
    when,
    data: describe(link),
  };
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
  | 'inherited_from'
>;

/** What the records of links that the engine makes and drops state of them. */
export function describe(link: Described) {
  const { correlation_strength, link_type, reversal, status, label } = link;
  return {
    decision_id: uuidToId('dec', link.decision_id),
    financial_event_id: uuidToId('evt', link.event_id),
    correlation_strength,
    link_type,
    reversal,
    status,
    label: label ?? 'guessed',
    ...inheritedData(link),
  };
}
