import type { LinkType } from '@decision-ledger/contract/money-signs';

/** What a link says of the direction of money. */
export interface Directed {
  readonly link_type: LinkType;
  readonly reversal: boolean;
}

/** Whether money leaves: a cost, a refund or a loss that is not taken back. */
export function isOutgoing({ link_type, reversal }: Directed): boolean {
  return mayReverse(link_type) && !reversal;
}

/** Whether a link of this type can be a reversal. */
export function mayReverse(linkType: LinkType): boolean {
  return linkType === 'cost' || linkType === 'refund' || linkType === 'loss';
}
