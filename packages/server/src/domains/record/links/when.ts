import { formatTimestamp } from '@decision-ledger/contract/time';
import type { When } from '@decision-ledger/proof/when';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { ActivityChange } from '../../log/activity/index.js';
import { type LinkEnds, selectTimes } from './store/times.js';

/** The times that a record about a link states. */
export async function whenOfLink(tx: LedgerReader, link: LinkEnds): Promise<Required<When>> {
  const [times = null] = await selectTimes(tx, [link]);
  return whenOf(times);
}

/** The records about links, in their order, each with its times. */
export async function datedChanges<Link extends LinkEnds>(
  tx: LedgerReader,
  links: readonly Link[],
  changeOf: (link: Link, when: Required<When>) => ActivityChange,
): Promise<ActivityChange[]> {
  if (links.length === 0) return [];
  const times = await selectTimes(tx, links);
  return links.map((link, at) => changeOf(link, whenOf(times[at] ?? null)));
}

function whenOf(times: { readonly event: number; readonly decision: number } | null) {
  if (times === null) throw new Error('the event or the decision of a link is missing');
  return { event: formatTimestamp(times.event), decision: formatTimestamp(times.decision) };
}
