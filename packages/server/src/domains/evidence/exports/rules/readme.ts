import type { BundleFacts } from '@decision-ledger/proof/bundle/manifest';

/** Lines of README.txt between two blank ones. */
export type Section = readonly string[];

/**
 * README.txt: what a bundle proves and what it does not, in plain words.
 * @param contents the sections of its type of export
 */
export function readmeText(facts: BundleFacts, contents: readonly Section[]): string {
  const { fingerprint } = facts.signing_key;
  const sections = [head(facts), ...contents, check(fingerprint), keys(fingerprint)];
  return `${sections.map((section) => section.join('\n')).join('\n\n')}\n`;
}

function head(facts: BundleFacts): Section {
  const test =
    facts.mode === 'test'
      ? ['', 'TEST DATA. This bundle is of the sandbox: nothing in it happened.']
      : [];
  return [
    `Decision Ledger, ${facts.export_type} export ${facts.export_id}`,
    ...test,
    '',
    `Organisation   ${facts.organisation}`,
    `Ledger         ${facts.ledger} (${facts.mode})`,
    `Range          from ${facts.range.start} up to, and without, ${facts.range.end}`,
    `Made           ${facts.created_at}`,
    `Signing key    ${facts.signing_key.fingerprint}`,
  ];
}

function check(fingerprint: string): Section {
  return [
    'HOW TO CHECK IT',
    '',
    'With the verifier, on any computer with Node.js, without a network:',
    '',
    `  decision-ledger-verify BUNDLE.zip --key-fingerprint ${fingerprint}`,
    '',
    'Take the fingerprint from where the organisation published it, not from this file.',
    '',
    'Or by hand, in the folder that this archive was unpacked to:',
    '',
    '  openssl dgst -sha256 -verify ledger-pubkey.pem -signature manifest.sig manifest.json',
    '  openssl pkey -pubin -in ledger-pubkey.pem -outform DER | sha256sum',
    '',
    'The first must say "Verified OK", the second the fingerprint. Then compare the SHA-256 of each',
    'file with the one in manifest.json (sha256sum *).',
  ];
}

function keys(fingerprint: string): Section {
  return [
    'THE KEY',
    '',
    `This bundle was signed with the key ${fingerprint}.`,
    'Anybody can make a key and sign a bundle with it: what says that this one is the organisation is',
    'that it made the fingerprint known in another way.',
  ];
}
