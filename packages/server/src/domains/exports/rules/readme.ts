import type { BundleFacts } from './manifest.js';

/** The text of README.txt: what a bundle proves, and what it does not, in plain words. */
export function readmeText(facts: BundleFacts): string {
  const sections = [head(facts), ...BODY[facts.exportType](facts), check(facts), keys(facts)];
  return `${sections.map((section) => section.join('\n')).join('\n\n')}\n`;
}

type Section = readonly string[];

function head(facts: BundleFacts): Section {
  const test =
    facts.mode === 'test'
      ? ['', 'TEST DATA. This bundle is of the sandbox: nothing in it happened.']
      : [];
  return [
    `Decision Ledger, ${facts.exportType} export ${facts.exportId}`,
    ...test,
    '',
    `Organisation   ${facts.organisation}`,
    `Ledger         ${facts.ledger} (${facts.mode})`,
    `Range          from ${facts.start} up to, and without, ${facts.end}`,
    `Made           ${facts.createdAt}`,
    `Signing key    ${facts.fingerprint}`,
  ];
}

const BODY = { forensic, compliance, insurance };

function forensic({ decisions, activity }: BundleFacts): Section[] {
  const run =
    decisions.first === null || decisions.last === null
      ? 'The range holds no decision.'
      : `The decisions stand in the chain between places ${decisions.first.seq} and ` +
        `${decisions.last.seq}; ${decisions.count} of them lie in the range.`;
  return [
    [
      'WHAT IT PROVES',
      '',
      'Decisions: each has the very content that was recorded, none was changed, none was taken out',
      'of or put into the run afterwards, and they were recorded in this order. entries.ndjson is that',
      `run, unbroken. ${run}`,
      'Those of the run that lie outside the range are there as entries alone: who decided, when and',
      'what kind of thing, with digests in place of what was decided.',
      '',
      'Money and links: each financial event and each link here is as the chain of activity tells of',
      `it, which is here from its beginning to place ${activity.last?.seq ?? 0}, unbroken. What it says`,
      'of things outside this bundle is withheld; digests of it are there.',
      '',
      'Erased fields: where a field was erased, its digest is still in the entry, and the chain of',
      `activity says when, by whom and why. Erased in this run: ${decisions.erasedFields}.`,
    ],
    [
      'WHAT IT DOES NOT PROVE',
      '',
      '- That what an agent sent was true, or that everything was sent.',
      '- What came after the last entry, or that nothing did. A later bundle shows that it continues',
      '  this one.',
      '- That a whole ledger was not written anew before the bundle was made. Receipts that others',
      '  kept, and bundles of before, show that.',
      '- That no event or link of the range was left out, as far as their data are withheld.',
      '- Exact time: the times are those of the clock of the ledger, or what its callers said.',
      '- The estimates under `liability`: they are calculations.',
    ],
  ];
}

function compliance(): Section[] {
  return [
    [
      'WHAT IT SHOWS',
      '',
      'article12.json has a record for each decision of the range, in the structure that Article 12',
      'of Regulation (EU) 2024/1689 asks of logs; article12.csv is a summary of it. Each record holds',
      'what its own hash can be worked out from. completeness.json says what is there, what is',
      'missing, and what the verification of the chains found. genesis.json tells whose ledger it is,',
      'and whether it is live or test: the first record of the ledger holds its hash.',
    ],
    [
      'WHAT IT DOES NOT PROVE',
      '',
      '- That no record of the range was left out: the forensic export of the same range shows that.',
      '- That a system fulfils the law.',
      '- That what was recorded was true, or the times exact.',
    ],
  ];
}

function insurance(): Section[] {
  return [
    [
      'WHAT IT SHOWS',
      '',
      'insurance.json has sums by kind of action: how many decisions, how often they led to a loss,',
      'and how large the losses were. Counts below five are left out. Decisions are named by hashes',
      'that are made with a secret of this export alone.',
    ],
    [
      'WHAT IT DOES NOT PROVE',
      '',
      'The sums: who holds this bundle cannot work them out again. The signature says who made them,',
      'and that they were not changed since.',
    ],
  ];
}

function check({ fingerprint }: BundleFacts): Section {
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

function keys({ fingerprint }: BundleFacts): Section {
  return [
    'THE KEY',
    '',
    `This bundle was signed with the key ${fingerprint}.`,
    'Anybody can make a key and sign a bundle with it: what says that this one is the organisation is',
    'that it made the fingerprint known in another way.',
  ];
}
