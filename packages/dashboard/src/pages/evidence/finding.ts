import type {
  ActivityChainVerification,
  DecisionChainVerification,
} from '@decision-ledger/client/api/chain';

export type Finding = NonNullable<
  DecisionChainVerification['first_broken_link'] | ActivityChainVerification['first_broken_link']
>;

const KINDS: Readonly<Record<Finding['kind'], string>> = {
  content: 'The entry was altered: it does not have the hash that the next one names',
  commitment: 'A value was altered: it does not match the commitment in its entry',
  column: 'A stored column differs from the entry that was hashed',
  link: 'An entry does not name the hash of the one before it',
  gap: 'A record is missing',
  head: 'The end of the chain is not where it was recorded',
};

/** What the first finding of a verification says, in one sentence. */
export function sentenceOf({ kind, seq, detail }: Finding): string {
  const more = detail === undefined ? '' : ` (${detail})`;
  return `Position ${seq}: ${KINDS[kind]}${more}.`;
}

/** The id of the record at fault; null if there is none left. */
export function recordOf(finding: Finding): string | null {
  return 'decision_id' in finding ? finding.decision_id : finding.activity_id;
}
