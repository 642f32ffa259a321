/** The command that checks an export, with the fingerprint of the current key if there is one. */
export function verifierCommand(fingerprint: string | undefined): string {
  return `npx decision-ledger-verify export.zip \\\n  --key-fingerprint ${fingerprint ?? 'FINGERPRINT'}`;
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
