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

/** The command that checks an export, with the fingerprint of the current key if there is one. */
export function verifierCommand(fingerprint: string | undefined): string {
  return `npx --no decision-ledger-verify export.zip \\\n  --key-fingerprint ${fingerprint ?? 'FINGERPRINT'}`;
}

export const verifierOptions = [
  {
    option: '--key-fingerprint',
    meaning: 'The published fingerprint. Without it, nobody is named.',
  },
  { option: '--previous OLD.zip', meaning: 'An earlier export that this one must continue.' },
  { option: '--json', meaning: 'The whole report, for programs.' },
  { option: '--write-page FILE', meaning: 'Writes the page that checks exports in a browser.' },
] as const;

export const byHandCommands = [
  'unzip -q export.zip',
  'openssl pkey -pubin -in ledger-pubkey.pem -outform DER | openssl dgst -sha256',
  'openssl dgst -sha256 -verify ledger-pubkey.pem -signature manifest.sig manifest.json',
].join('\n');

export const VERDICTS = [
  {
    name: 'Integrity',
    pass: 'Every byte is as it was signed, and every hash follows from the records.',
    unproven: 'Never.',
  },
  {
    name: 'Completeness',
    pass: 'No record of the range is missing.',
    unproven: 'The export has sums, or records with gaps between them.',
  },
  {
    name: 'Authenticity',
    pass: 'The key with the given fingerprint signed the export.',
    unproven: 'No fingerprint was given.',
  },
  {
    name: 'Time',
    pass: 'No times contradict each other.',
    unproven: 'The export has no records with times.',
  },
] as const;
