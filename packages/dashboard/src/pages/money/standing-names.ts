import type { RelatedEvent } from '@decision-ledger/client/api/financial-event';

/** Whether an event counts, and if not, why. */
export const STANDING_NAMES: Readonly<Record<RelatedEvent['standing'], string>> = {
  counted: 'Yes',
  counted_once: 'No: another event of this money does',
  planned: 'No: planned',
  authorised: 'No: authorised, not captured',
  void: 'No: it came back untouched',
  between_own_accounts: 'No: between own accounts',
  unclassified: 'No: unclassified',
  deleted: 'No: deleted',
};

/** The same, for a column of a list. */
export const SHORT_STANDING_NAMES: Readonly<Record<RelatedEvent['standing'], string>> = {
  counted: 'Yes',
  counted_once: 'No: another does',
  planned: 'No: planned',
  authorised: 'No: authorised',
  void: 'No: came back',
  between_own_accounts: 'No: own accounts',
  unclassified: 'No: unclassified',
  deleted: 'No: deleted',
};

/** What the money of an event is for. */
export const KIND_NAMES: Readonly<Record<RelatedEvent['kind'], string>> = {
  sale: 'Sale',
  refund: 'Refund',
  fee: 'Fee',
  tax: 'Tax',
  cost: 'Cost',
  dispute: 'Dispute',
  recovery: 'Dispute won',
  payout: 'Payout',
  transfer: 'Transfer',
  other: 'Not known',
};
