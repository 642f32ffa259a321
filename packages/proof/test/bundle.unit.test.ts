import { EXPORT_TYPES, listedFiles } from '@decision-ledger/proof/bundle/format';
import {
  type BundleFacts,
  manifestText,
  parseManifest,
} from '@decision-ledger/proof/bundle/manifest';
import { readJson } from '@decision-ledger/proof/bundle/shape';
import { describe, expect, it } from 'vitest';

// The expectations are written by hand from evidence.md, without the code under test.

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

const FACTS: BundleFacts = {
  export_id: 'exp_1',
  export_type: 'forensic',
  organisation: 'org_1',
  ledger: 'led_1',
  mode: 'live',
  created_at: '2026-03-01T00:00:00.000Z',
  range: { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z', basis: 'recorded' },
  selection: null,
  version: '1.2.3',
  decisions: {
    count: 2,
    erased_fields: 1,
    first: { seq: 4, hash: A, prev_hash: B },
    last: { seq: 5, hash: B },
    head: { seq: 6, hash: A },
  },
  logs: { decisions: 'd+1+k', activity: 'a+2+k' },
  activity: { since: 7, first: null, last: null },
  signing_key: { fingerprint: A, algorithm: 'RSASSA-PKCS1-v1_5 SHA-256' },
};
const FILES = [{ name: 'README.txt', sha256: B, bytes: 9 }];

const HEAD = `{
  "format": "decision-ledger/bundle/v1",
  "export_id": "exp_1",
  "export_type": "TYPE",
  "organisation": "org_1",
  "ledger": "led_1",
  "mode": "live",
  "created_at": "2026-03-01T00:00:00.000Z",
  "range": {
    "start": "2026-01-01T00:00:00.000Z",
    "end": "2026-02-01T00:00:00.000Z"BASIS
  },
  "version": "1.2.3",
`;
const RUNS = `  "decisions": {
    "count": 2,
    "erased_fields": 1,
    "first": {
      "seq": 4,
      "hash": "${A}",
      "prev_hash": "${B}"
    },
    "last": {
      "seq": 5,
      "hash": "${B}"
    },
    "head": {
      "seq": 6,
      "hash": "${A}"
    }
  },
  "activity": {
    "since": 7,
    "first": null,
    "last": null
  },
`;
const LOGS = `  "logs": {
    "decisions": "d+1+k",
    "activity": "a+2+k"
  },
`;
const TAIL = `  "signing_key": {
    "fingerprint": "${A}",
    "algorithm": "RSASSA-PKCS1-v1_5 SHA-256"
  },
  "files": [
    {
      "name": "README.txt",
      "sha256": "${B}",
      "bytes": 9
    }
  ]
}
`;
const RECORDED = ',\n    "basis": "recorded"';

function headOf(type: string, basis = ''): string {
  return HEAD.replace('TYPE', type).replace('BASIS', basis);
}

const TEXTS = {
  forensic: headOf('forensic', RECORDED) + RUNS + LOGS + TAIL,
  compliance: headOf('compliance', RECORDED) + RUNS + LOGS + TAIL,
  insurance: headOf('insurance') + LOGS + TAIL,
  statement: headOf('statement', RECORDED) + RUNS + LOGS + TAIL,
};

const parse = (text: string) => {
  const duplicates: string[] = [];
  const manifest = parseManifest(readJson(text), (name) => duplicates.push(name));
  return { manifest, duplicates };
};

describe('Bundle types', () => {
  it('A bundle is of one of four types, each with its files in order', () => {
    expect(
      Object.fromEntries(
        EXPORT_TYPES.map((export_type) => [
          export_type,
          listedFiles({ export_type, selection: null }),
        ]),
      ),
    ).toEqual({
      forensic: [
        ...[
          'README.txt',
          'CERTIFICATE.md',
          'custody.json',
          'decisions.json',
          'entries.ndjson',
          'events.json',
          'links.json',
        ],
        ...['activity.ndjson', 'chain_verification.json', 'decisions.checkpoint'],
        ...['activity.checkpoint', 'decisions.range.json', 'keys.json', 'ledger-pubkey.pem'],
      ],
      compliance: [
        ...[
          'README.txt',
          'CERTIFICATE.md',
          'custody.json',
          'article12.json',
          'article12.csv',
          'completeness.json',
        ],
        ...['entries.ndjson', 'activity.ndjson', 'chain_verification.json', 'decisions.checkpoint'],
        ...['activity.checkpoint', 'decisions.range.json', 'keys.json', 'ledger-pubkey.pem'],
      ],
      insurance: [
        ...[
          'README.txt',
          'CERTIFICATE.md',
          'custody.json',
          'insurance.json',
          'activity.proofs.json',
          'decisions.checkpoint',
        ],
        ...['activity.checkpoint', 'keys.json', 'ledger-pubkey.pem'],
      ],
      statement: [
        ...[
          'README.txt',
          'CERTIFICATE.md',
          'custody.json',
          'statement.json',
          'entries.ndjson',
          'activity.ndjson',
        ],
        ...['chain_verification.json', 'decisions.checkpoint', 'activity.checkpoint'],
        ...['decisions.range.json', 'keys.json', 'ledger-pubkey.pem'],
      ],
    });
  });
});

describe('Manifest', () => {
  it.for(['forensic', 'compliance', 'insurance', 'statement'] as const)(
    'A manifest of type %s has exactly these bytes and is read back from them',
    (export_type) => {
      const text = manifestText({ ...FACTS, export_type }, FILES);
      expect(text).toBe(TEXTS[export_type]);
      const members = JSON.parse(text);
      const range = { basis: null, ...members.range };
      expect(parse(text)).toEqual({
        manifest: { selection: null, ...members, range },
        duplicates: [],
      });
    },
  );

  it.for([
    ['another format', TEXTS.forensic.replace('bundle/v1', 'bundle/v2'), /format/],
    ['no basis', TEXTS.forensic.replace(RECORDED, ''), /basis/],
    ['no logs', TEXTS.forensic.replace(LOGS, ''), /logs/],
    ['an unknown type', TEXTS.forensic.replace('"forensic"', '"else"'), /export_type/],
    ['an unknown member', TEXTS.forensic.replace('"mode"', '"more": 1, "mode"'), /more/],
    [
      'runs instead of sums',
      TEXTS.compliance.replace('compliance', 'insurance').replace(RECORDED, ''),
      /decisions/,
    ],
    ['records without a run', TEXTS.forensic.replace(RUNS, ''), /decisions/],
    ['an empty range', TEXTS.forensic.replace('2026-02-01', '2026-01-01'), /range\.end/],
    ['a negative size', TEXTS.forensic.replace('"bytes": 9', '"bytes": -9'), /files\[0\]\.bytes/],
    [
      'an upper-case hash',
      TEXTS.forensic.replace(`"hash": "${A}"`, `"hash": "${A.toUpperCase()}"`),
      /hash/,
    ],
  ] as const)('A manifest with %s is refused', ([, text, problem]) => {
    expect(() => parse(text)).toThrow(problem);
  });

  it('A manifest that lists a name twice is read, and the name is reported', () => {
    const [file] = FILES;
    const text = manifestText(FACTS, [...FILES, ...(file === undefined ? [] : [file])]);
    expect(parse(text).duplicates).toEqual(['README.txt']);
  });
});
