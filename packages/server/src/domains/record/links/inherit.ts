import type { WhenOfLink } from '@decision-ledger/proof/when';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { ActivityChange } from '../../log/activity/index.js';
import { updateMoney } from '../financial-events/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { describe, ENGINE, type Replacement, replaceLinks } from './engine-links.js';
import { isHuman, isInherited } from './event-links.js';
import type { LinkRow } from './store/links.js';

/** A link that a reversal takes from its payment. */
export type InheritedLink = Pick<LinkRow, 'decision_id' | 'link_type' | 'reversal'> & {
  readonly strength: number;
  readonly label: NonNullable<LinkRow['label']>;
};

/** What a movement takes from the payment that it reverses. */
export interface Inheritance {
  /** UUID of the report that leads it. */
  readonly eventId: string;
  /** UUID of the report that leads the payment; empty without one. */
  readonly payment: string;
  readonly inherited: readonly InheritedLink[];
  /** The links of the movement that stand. */
  readonly links: readonly LinkRow[];
}

/**
 * Replaces what movements took from their payments. Where they take something, suggestions give way: the engine knows nothing
 * better than the payment. If all is as it should be, nothing changes.
 */
export async function writeInherited(
  tx: LedgerWriter,
  hooks: RecordHooks,
  movements: readonly Inheritance[],
): Promise<void> {
  const plans = movements.map((movement) => planFor(tx, movement));
  const changed = await replaceLinks(tx, plans, inheritanceOf);
  if (changed.length === 0) return;
  // What is left without a cause is scored again.
  const bare = movements.filter(
    ({ inherited, links }) => inherited.length === 0 && links.some(isInherited),
  );
  const leads = bare.map(({ eventId }) => eventId);
  const taking = movements.filter(
    ({ inherited, links }) => inherited.length > 0 && !links.some(isInherited),
  );
  const takers = taking.map(({ eventId }) => eventId);
  if (takers.length > 0) await hooks.causesInherited(tx, takers);
  if (leads.length > 0) await hooks.movementsChanged(tx, { leads, witnesses: [] });
  await updateMoney(tx, hooks, changed);
}

function planFor({ ids }: LedgerWriter, movement: Inheritance): Replacement {
  const { inherited, links } = movement;
  const held = links.filter(isInherited);
  const next = (link: LinkRow) => inherited.find((one) => isSame(link, one, movement));
  const suggested = links.filter((link) => !isHuman(link) && !isInherited(link));
  return {
    dropped: [
      ...held.filter((link) => next(link) === undefined),
      ...(inherited.length > 0 ? suggested : []),
    ],
    changed: held.flatMap((link) => {
      const to = next(link);
      const isOther =
        to !== undefined && (to.strength !== link.correlation_strength || to.label !== link.label);
      return isOther ? [{ ...link, correlation_strength: to.strength, label: to.label }] : [];
    }),
    added: inherited
      .filter((one) => !held.some((link) => isSame(link, one, movement)))
      .map((one) => ({ ...newLink(movement, one), link_id: ids.uuid() })),
  };
}

function isSame(link: LinkRow, wanted: InheritedLink, { eventId, payment }: Inheritance): boolean {
  return (
    link.event_id === eventId &&
    link.inherited_from === payment &&
    link.decision_id === wanted.decision_id &&
    link.link_type === wanted.link_type &&
    link.reversal === wanted.reversal
  );
}

function newLink(
  { eventId, payment }: Inheritance,
  { strength, ...inherited }: InheritedLink,
): Omit<LinkRow, 'link_id'> {
  return {
    ...inherited,
    event_id: eventId,
    correlation_strength: strength,
    attribution_method: 'inherited',
    status: 'INHERITED',
    inherited_from: payment,
    notes: null,
    score: null,
    created_by: ENGINE,
    created_at: 0,
    reviewed_by: null,
    reviewed_at: null,
    deleted_at: null,
    review_priority: null,
  };
}

function inheritanceOf(link: LinkRow, when: WhenOfLink): ActivityChange {
  return {
    type: 'link.inherited',
    actor: ENGINE,
    subject: uuidToId('lnk', link.link_id),
    when,
    data: describe(link),
  };
}
