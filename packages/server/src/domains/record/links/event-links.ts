import { LedgerError } from '@decision-ledger/contract/errors';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { WhenOfLink } from '@decision-ledger/proof/when';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { ActivityChange } from '../../log/activity/index.js';
import { areOpposite, type Directed } from '../money-signs/index.js';
import { confirmedStrength, shareLeft } from './rules/share.js';
import type { LinkRow } from './store/links.js';
import { type LinkEnds, selectTimes } from './store/times.js';

/** Whether a person made or confirmed a link. */
export function isHuman({ status }: Pick<LinkRow, 'status'>): boolean {
  return status === 'CONFIRMED' || status === 'ML_INFERRED';
}

/** Whether nobody made or confirmed a link of a reversal: it follows the links of its payment. */
export function isInherited({ status }: Pick<LinkRow, 'status'>): boolean {
  return status === 'INHERITED';
}

/** The member of a record about a link that names the payment that it was taken from; none for other links. */
export function inheritedData({ inherited_from }: Pick<LinkRow, 'inherited_from'>) {
  return inherited_from === null ? {} : { inherited_from: uuidToId('evt', inherited_from) };
}

/**
 * Refuses a person's link whose money goes the other way than that of another one of the event: an event
 * has one sign.
 * @param links the live links of the event
 * @param amount of the event, decimal text
 * @throws LedgerError `conflict`
 */
export function refuseOpposite(wanted: Directed, links: readonly LinkRow[], amount: string): void {
  const other = links.find((link) => isHuman(link) && areOpposite(link, wanted, amount));
  if (other === undefined) return;
  throw new LedgerError(
    'conflict',
    `a ${nameOf(wanted)} link contradicts ${uuidToId('lnk', other.link_id)}, a ${nameOf(other)} ` +
      'link of the same event: one is incoming money, the other outgoing. Delete that link ' +
      'first, or use the same direction',
  );
}

function nameOf({ link_type, reversal }: Directed): string {
  return reversal ? `reversed ${link_type}` : link_type;
}

/**
 * The share of an event that a new cause takes: the wanted one, or all that links of people leave.
 * @throws LedgerError `conflict` if too little is left
 */
export function openShare(links: readonly LinkRow[], wanted: number | undefined): number {
  return confirmedStrength(shareLeft(links.filter(isHuman)), wanted);
}

/** The times that a record about a link states. */
export async function whenOfLink(tx: LedgerReader, link: LinkEnds): Promise<WhenOfLink> {
  const [times = null] = await selectTimes(tx, [link]);
  return whenOf(times);
}

/** The records about links, in their order, each with its times. */
export async function datedChanges<Link extends LinkEnds>(
  tx: LedgerReader,
  links: readonly Link[],
  changeOf: (link: Link, when: WhenOfLink) => ActivityChange,
): Promise<ActivityChange[]> {
  if (links.length === 0) return [];
  const times = await selectTimes(tx, links);
  return links.map((link, at) => changeOf(link, whenOf(times[at] ?? null)));
}

function whenOf(times: { readonly event: number; readonly decision: number } | null) {
  if (times === null) throw new Error('the event or the decision of a link is missing');
  return { event: formatTimestamp(times.event), decision: formatTimestamp(times.decision) };
}
