import { LedgerError } from '@decision-ledger/contract/errors';
import { uuidToId } from '../../../platform/ids.js';
import { areOpposite, type Directed } from '../money-signs/index.js';
import type { LinkRow } from './store/links.js';

/** Whether a person made or confirmed a link. */
export function isHuman({ status }: Pick<LinkRow, 'status'>): boolean {
  return status === 'CONFIRMED' || status === 'ML_INFERRED';
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
