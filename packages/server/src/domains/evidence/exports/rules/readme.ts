import type { BundleFacts } from '@decision-ledger/proof/bundle/manifest';

/** Lines of README.txt between two blank lines. */
export type Section = readonly string[];

/**
 * README.txt: explains what a bundle proves and what it does not.
 * @param contents sections of the type of export
 */
export function readmeText(facts: BundleFacts, contents: readonly Section[]): string {
  const { fingerprint } = facts.signing_key;
  const sections = [head(facts), ...contents, check(fingerprint), keys(fingerprint)];
  return `${sections.map((section) => section.join('\n')).join('\n\n')}\n`;
}

function head(facts: BundleFacts): Section {
  const test =
    facts.mode === 'test'
      ? ['', 'TEST DATA. This bundle comes from a test ledger: nothing in it is real.']
      : [];
  return [
    `Decision Ledger, ${facts.export_type} export ${facts.export_id}`,
    ...test,
    '',
    `Organisation   ${facts.organisation}`,
    `Ledger         ${facts.ledger} (${facts.mode})`,
    `Range          from ${facts.range.start} to ${facts.range.end} (exclusive)`,
    `Made           ${facts.created_at}`,
    `Signing key    ${facts.signing_key.fingerprint}`,
  ];
}

function check(fingerprint: string): Section {
  return [
    'HOW TO CHECK IT',
    '',
    'With the verifier, on any computer with Node.js, offline:',
    '',
    `  decision-ledger-verify BUNDLE.zip --key-fingerprint ${fingerprint}`,
    '',
    'Use the fingerprint that the organisation published, not the one in this file.',
    '',
    'Or by hand, in the folder to which this archive was unpacked:',
    '',
    '  openssl dgst -sha256 -verify ledger-pubkey.pem -signature manifest.sig manifest.json',
    '  openssl pkey -pubin -in ledger-pubkey.pem -outform DER | sha256sum',
    '',
    'The first command must print "Verified OK", the second the fingerprint. Then compare the SHA-256 of',
    'each file with the one in manifest.json (sha256sum *).',
  ];
}

function keys(fingerprint: string): Section {
  return [
    'THE KEY',
    '',
    `This bundle was signed with the key ${fingerprint}.`,
    'Anyone can create a key and sign a bundle with it. This one belongs to the organisation if the',
    'organisation published its fingerprint elsewhere.',
  ];
}
