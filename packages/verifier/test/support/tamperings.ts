import { sign } from 'node:crypto';
import type { FindingCode } from '@decision-ledger/verifier/report/codes';
import type { VerdictName } from '@decision-ledger/verifier/report/report';
import { pack } from './bundle.js';
import { type DraftOptions, draftOf } from './draft.js';
import { editLines, editManifest, editObject, editRows, editText } from './edit.js';
import { keyOf, testKey } from './keys.js';
import { erasedStory, fullStory, shortStory } from './samples.js';
import { statementStory } from './statement.js';
import { Story } from './story.js';

export interface Tampering {
  readonly code: FindingCode;
  readonly verdict: VerdictName;
  readonly about: string;
  readonly zip: () => Promise<Buffer>;
}

/**
 * Each of these is signed again with the key of the organisation after the change: the signature is
 * valid, and another check must find it.
 */
export const TAMPERINGS: Tampering[] = [];

function add(verdict: VerdictName, code: FindingCode, about: string, zip: () => Promise<Buffer>) {
  TAMPERINGS.push({ verdict, code, about, zip });
}

/** A change of the ledger before it is exported. */
function story(
  verdict: VerdictName,
  code: FindingCode,
  about: string,
  change: (story: Story) => void,
  options?: DraftOptions,
) {
  add(verdict, code, about, () => {
    const told = fullStory();
    change(told);
    return pack(draftOf(told, options));
  });
}

type Change = (draft: ReturnType<typeof draftOf>) => ReturnType<typeof draftOf>;

/** The id of the first event or link of a ledger. */
const idOf = (kind: 'events' | 'links') => (told: Story) => [...told[kind].keys()][0] ?? '';

/** An entry with one of its times replaced. */
function withTime(entry: string, member: string, time: string): string {
  return entry.replace(new RegExp(`"${member}":"[^"]*"`), `"${member}":"${time}"`);
}

function draft(
  verdict: VerdictName,
  code: FindingCode,
  about: string,
  change: Change,
  options: DraftOptions = {},
  told = fullStory,
) {
  add(verdict, code, about, () => pack(change(draftOf(told(), options))));
}

// What is signed.
add('integrity', 'manifest_shape', 'a manifest with a repeated key', () =>
  pack(draftOf(fullStory()), { manifestText: (text) => text.replace('{', '{"format":"x",') }),
);
draft('integrity', 'manifest_shape', 'a manifest of another format', (d) =>
  editManifest(d, { format: 'decision-ledger/bundle/v2' }),
);
for (const [about, change] of Object.entries({
  'an unknown member': { remark: 'all of 2026' },
  'an unknown member of its range': { 'range.note': 'all of 2026' },
  'an unknown member of its decisions': { 'decisions.total': 1_000_000 },
  'an unknown member of its activity': { 'activity.total': 1_000_000 },
  'an unknown member of an end': { 'activity.last.prev_hash': '0'.repeat(64) },
  'an unknown member of its key': { 'signing_key.owner': 'The Regulator' },
  'another algorithm': { 'signing_key.algorithm': 'none' },
  'no algorithm': { 'signing_key.algorithm': undefined },
  'no version': { version: undefined },
  'no decisions': { decisions: undefined },
  'a range that ends before it begins': { 'range.start': '2026-04-02T00:00:00.000Z' },
  'an empty range': { 'range.start': '2026-04-01T00:00:00.000Z' },
})) {
  draft('integrity', 'manifest_shape', `a manifest with ${about}`, (d) => editManifest(d, change));
}
for (const [about, change] of Object.entries({
  decisions: { decisions: { count: 1_000_000, erased_fields: 0, first: null, last: null } },
  activity: { activity: { since: 0, first: null, last: null } },
})) {
  draft(
    'integrity',
    'manifest_shape',
    `a manifest of sums that counts ${about}`,
    (d) => editManifest(d, change),
    { exportType: 'insurance' },
  );
}
add('integrity', 'manifest_shape', 'a manifest that says more of a file', () =>
  pack(draftOf(fullStory()), {
    manifestText: (text) => text.replace('"name": "keys.json"', '"name": "keys.json", "by": "x"'),
  }),
);
draft('integrity', 'manifest_shape', 'a manifest of more than 1 MiB', (d) =>
  editManifest(d, { padding: 'x'.repeat(1024 * 1024) }),
);
add('integrity', 'manifest_files', 'a file that is listed twice', () =>
  pack(draftOf(fullStory()), {
    manifestText: (text) => text.replace('"name": "keys.json"', '"name": "README.txt"'),
  }),
);
draft('integrity', 'manifest_files', 'a file that no bundle of the type has', (d) => {
  d.files.set('insurance.json', Buffer.from('{}'));
  return d;
});
draft('integrity', 'file_missing', 'a manifest that leaves out a file of its type', (d) => {
  d.files.delete('links.json');
  return d;
});
add('integrity', 'signature_invalid', 'a signature of something else', () =>
  pack(draftOf(fullStory()), {
    signature: () => sign('sha256', Buffer.from('else'), testKey('first').privateKey),
  }),
);
add('integrity', 'signature_invalid', 'a signature of another key', () =>
  pack(draftOf(fullStory()), { signature: (m) => sign('sha256', m, testKey('second').privateKey) }),
);
draft('integrity', 'key_fingerprint', 'a manifest that names another key', (d) =>
  editManifest(d, { 'signing_key.fingerprint': testKey('second').fingerprint }),
);
add('integrity', 'key_shape', 'a key of 1024 bits', async () => {
  const { generateKeyPairSync } = await import('node:crypto');
  const key = keyOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey);
  return pack(draftOf(fullStory(), { key }));
});
add('integrity', 'key_shape', 'a key with the exponent 3', async () => {
  const { generateKeyPairSync } = await import('node:crypto');
  const key = keyOf(
    generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }).privateKey,
  );
  return pack(draftOf(fullStory(), { key }));
});
add('integrity', 'key_shape', 'a key on a curve', async () => {
  const { generateKeyPairSync } = await import('node:crypto');
  const key = keyOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
  return pack(draftOf(fullStory(), { key }));
});
draft('integrity', 'key_unlisted', 'a key that keys.json does not list', (d) =>
  editObject(d, 'keys.json', { signing_keys: [] }),
);
draft('integrity', 'keys_shape', 'a fingerprint of another key', (d) =>
  editObject(d, 'keys.json', { 'signing_keys.0.fingerprint': testKey('second').fingerprint }),
);
draft('integrity', 'keys_shape', 'a list of keys that is not JSON', (d) =>
  editText(d, 'keys.json', () => '{'),
);
draft('integrity', 'keys_shape', 'a key that is listed twice, once as retired', (d) =>
  editText(d, 'keys.json', (text) => {
    const { signing_keys } = JSON.parse(text);
    const again = { ...signing_keys[0], retired_at: '2026-02-01T00:00:00.000Z' };
    return JSON.stringify({ signing_keys: [again, ...signing_keys] });
  }),
);
for (const name of ['keys.json', 'chain_verification.json']) {
  draft('integrity', 'file_size', `${name} behind more spaces than are read`, (d) =>
    editText(d, name, (text) => ' '.repeat(16 * 1024 * 1024) + text),
  );
}
draft('integrity', 'line_unreadable', 'a list of keys that is not UTF-8', (d) => {
  d.files.set('keys.json', Buffer.from([0xff, 0xfe]));
  return d;
});

// The chain of decisions.
draft('integrity', 'genesis_wrong', 'entries that do not begin with a genesis', (d) =>
  editLines(d, 'entries.ndjson', (lines) => lines.slice(1)),
);
draft('integrity', 'genesis_wrong', 'the genesis of the other chain', (d) => {
  const [genesis = ''] = String(d.files.get('activity.ndjson')).split('\n');
  return editLines(d, 'entries.ndjson', (lines) => {
    lines[0] = genesis;
  });
});
draft('integrity', 'genesis_wrong', 'live data declared as test data', (d) =>
  editManifest(d, { mode: 'test' }),
);
draft('integrity', 'entry_link', 'an entry that was changed', (d) =>
  editLines(d, 'entries.ndjson', (lines) => {
    lines[2] = String(lines[2]).replace('refund-bot', 'another-bot');
  }),
);
draft('integrity', 'entry_unreadable', 'an entry that is not canonical', (d) =>
  editLines(d, 'entries.ndjson', (lines) => {
    lines[2] = ` ${lines[2]}`;
  }),
);
draft('integrity', 'entry_unreadable', 'a decision with an impossible time', (d) =>
  editLines(d, 'entries.ndjson', (lines) => {
    lines[2] = withTime(String(lines[2]), 'timestamp', '2026-01-09T99:99:99.999Z');
  }),
);
draft('integrity', 'entry_unreadable', 'an activity with an impossible date', (d) =>
  editLines(d, 'activity.ndjson', (lines) => {
    lines[1] = withTime(String(lines[1]), 'created_at', '2026-02-30T08:01:00.000Z');
  }),
);
draft('integrity', 'genesis_wrong', 'a chain that began on an impossible date', (d) =>
  editLines(d, 'activity.ndjson', (lines) => {
    lines[0] = withTime(String(lines[0]), 'created_at', '2025-02-29T08:00:00.000Z');
  }),
);
draft('integrity', 'record_unreadable', 'an event with an impossible date', (d) =>
  editRows(d, 'events.json', (rows) => {
    Object.assign(rows[0] ?? {}, { timestamp: '2026-02-30T08:00:00.000Z' });
  }),
);
draft('integrity', 'line_unreadable', 'a line that is not UTF-8', (d) => {
  const before = d.files.get('entries.ndjson') ?? Buffer.from('');
  d.files.set('entries.ndjson', Buffer.concat([before, Buffer.from([0xff, 0x0a])]));
  return d;
});
draft('integrity', 'line_unreadable', 'a line of more than 16 MiB', (d) =>
  editLines(d, 'entries.ndjson', (lines) => [...lines, 'x'.repeat(16 * 1024 * 1024 + 1)]),
);
draft('integrity', 'entry_foreign', 'entries of another ledger', (d) =>
  editText(d, 'entries.ndjson', (text) =>
    text.replaceAll('led_00000000000000000000000001', 'led_00000000000000000000000002'),
  ),
);
draft('completeness', 'run_gap', 'a decision that was dropped with its entry', (d) => {
  editLines(d, 'entries.ndjson', (lines) => {
    lines.splice(3, 1);
  });
  editRows(d, 'decisions.json', (rows) => rows.filter(({ seq }) => seq !== 3));
  return editManifest(d, { 'decisions.count': 3 });
});
draft('completeness', 'run_gap', 'a repeated entry', (d) =>
  editLines(d, 'entries.ndjson', (lines) => {
    lines.splice(2, 0, String(lines[2]));
  }),
);
draft('completeness', 'run_ends', 'a last decision that was cut off', (d) => {
  editLines(d, 'entries.ndjson', (lines) => lines.slice(0, -1));
  return editRows(d, 'decisions.json', (rows) => rows.slice(0, -1));
});
draft('completeness', 'run_ends', 'a first entry of another hash than the manifest names', (d) =>
  editManifest(d, { 'decisions.first.hash': '0'.repeat(64) }),
);
draft(
  'integrity',
  'entry_link',
  'a first entry that follows on another one than the manifest names',
  (d) => editManifest(d, { 'decisions.first.prev_hash': '0'.repeat(64) }),
  { range: { start: '2026-01-05T08:15:00.000Z', end: '2026-04-01T00:00:00.000Z' } },
);

// Decisions.
draft('completeness', 'decision_missing', 'a decision without its record', (d) =>
  editRows(d, 'decisions.json', (rows) => rows.slice(1)),
);
draft('completeness', 'count_differs', 'a manifest that counts one more', (d) =>
  editManifest(d, { 'decisions.count': 5 }),
);
draft('integrity', 'count_differs', 'a manifest that counts other erasures', (d) =>
  editManifest(d, { 'decisions.erased_fields': 7 }),
);
draft('completeness', 'decision_outside', 'a decision of another range', (d) =>
  editManifest(d, { 'range.start': '2026-01-05T08:04:00.000Z' }),
);
draft('integrity', 'decision_hash', 'a column that was changed', (d) =>
  editRows(d, 'decisions.json', (rows) => {
    Object.assign(rows[0] ?? {}, { confidence: 0.5 });
  }),
);
draft('integrity', 'decision_hash', 'a commitment that was changed with its value', (d) =>
  editText(d, 'decisions.json', (text) =>
    text.replace(/"inputs":"[\w-]{43}"/, `"inputs":"${'A'.repeat(43)}"`),
  ),
);
draft('integrity', 'decision_unknown', 'a hash that the entry does not have', (d) =>
  editRows(d, 'decisions.json', (rows) => {
    Object.assign(rows[0] ?? {}, { hash: '0'.repeat(64) });
  }),
);
draft('integrity', 'record_duplicate', 'a repeated decision', (d) =>
  editRows(d, 'decisions.json', (rows) => [...rows, ...rows.slice(-1)]),
);
draft('integrity', 'record_order', 'decisions in another order', (d) =>
  editRows(d, 'decisions.json', (rows) => rows.reverse()),
);
draft('integrity', 'record_unreadable', 'a decision with a member that nothing proves', (d) =>
  editRows(d, 'decisions.json', (rows) => {
    Object.assign(rows[0] ?? {}, { verdict: 'guilty' });
  }),
);
draft('integrity', 'record_unreadable', 'a decision with a repeated key', (d) =>
  editText(d, 'decisions.json', (text) =>
    text.replace('"agent_id":', '"agent_id":"x","agent_id":'),
  ),
);
draft('integrity', 'array_form', 'an array on one line', (d) =>
  editText(d, 'decisions.json', (text) => text.replaceAll('\n', '')),
);
draft('integrity', 'array_form', 'records without a comma', (d) =>
  editText(d, 'decisions.json', (text) => text.replace('},\n', '}\n')),
);
draft('integrity', 'array_form', 'a comma before the end', (d) =>
  editText(d, 'decisions.json', (text) => text.replace('}\n]', '},\n]')),
);
draft('integrity', 'array_form', 'something after the end', (d) =>
  editText(d, 'decisions.json', (text) => `${text}{}\n`),
);
draft('integrity', 'array_form', 'an array that does not end', (d) =>
  editText(d, 'decisions.json', (text) => text.replace(']\n', '')),
);
draft('integrity', 'commitment_differs', 'a value that was changed', (d) =>
  editRows(d, 'decisions.json', (rows) => {
    Object.assign(rows[0] ?? {}, { inputs: { amount: '0.01' } });
  }),
);
draft('integrity', 'commitment_differs', 'a salt that was changed', (d) =>
  editText(d, 'decisions.json', (text) =>
    text.replace(/("salts":\{"inputs":")[\w-]{22}/, `$1${'A'.repeat(22)}`),
  ),
);
draft('integrity', 'commitment_missing', 'a value that was added', (d) =>
  editRows(d, 'decisions.json', (rows) => {
    Object.assign(rows[0] ?? {}, { alternatives: [{}] });
  }),
);
draft('integrity', 'commitment_missing', 'a salt without a value', (d) =>
  editRows(d, 'decisions.json', (rows) => rows.map(({ inputs: _, ...row }) => row)),
);

// Erasure.
story(
  'integrity',
  'erasure_unrecorded',
  'a value that is absent, and no erasure was recorded',
  (s) => {
    const row = s.decisions[2]?.row ?? {};
    s.empty(row, 'inputs');
    row.erased_fields = ['inputs'];
  },
);
draft('integrity', 'entry_link', 'an erasure that was forged into the chain of activity', (d) => {
  const forged = erasedStory();
  forged.activity.at(-1);
  return editLines(d, 'activity.ndjson', (lines) => {
    const erasure = forged.activity.at(-1);
    lines.splice(2, 0, String(erasure?.entry), String(erasure?.disclosure));
  });
});
draft(
  'integrity',
  'erasure_listed',
  'erased fields that are not listed',
  (d) =>
    editText(d, 'decisions.json', (text) =>
      text.replace('"erased_fields":["inputs","outputs"]', '"erased_fields":["inputs"]'),
    ),
  {},
  erasedStory,
);
story('integrity', 'erasure_ignored', 'a value that is there although it was erased', (s) => {
  s.act('decision.field_erased', String(s.decisions[2]?.row.decision_id), {
    fields: ['outputs'],
    reason: 'x',
  });
});
draft(
  'integrity',
  'disclosure_missing',
  'an erasure whose data is withheld',
  (d) =>
    editLines(d, 'activity.ndjson', (lines) =>
      lines.filter((line) => !line.includes('"data",{"fields"')),
    ),
  {},
  erasedStory,
);

// The chain of activity.
draft('integrity', 'entry_seq', 'an activity that was dropped', (d) =>
  editLines(d, 'activity.ndjson', (lines) =>
    lines.filter((line) => !line.includes('settings.changed')),
  ),
);
draft('completeness', 'activity_ends', 'a last activity that was cut off', (d) =>
  editLines(d, 'activity.ndjson', (lines) => lines.slice(0, -2)),
);
draft('completeness', 'activity_ends', 'an end that the manifest does not name', (d) =>
  editManifest(d, { 'activity.last.hash': '0'.repeat(64) }),
);
draft('integrity', 'disclosure_differs', 'disclosed data that were changed', (d) =>
  editText(d, 'activity.ndjson', (text) => text.replace('"amount":"19.90"', '"amount":"99.90"')),
);
draft('integrity', 'disclosure_differs', 'disclosed data of the genesis', (d) =>
  editLines(d, 'activity.ndjson', (lines) => {
    lines.splice(1, 0, '["AAAAAAAAAAAAAAAAAAAAAA","data",{}]');
  }),
);

draft('completeness', 'activity_ends', 'an export that began after the end', (d) =>
  editManifest(d, { 'activity.since': 1000 }),
);

// Events and links.
draft('integrity', 'disclosure_missing', 'an event whose data is withheld', (d) =>
  editLines(d, 'activity.ndjson', (lines) =>
    lines.filter((line) => !line.includes('"amount":"19.90"')),
  ),
);
story('integrity', 'entry_unreadable', 'a link whose record commits to no times', (s) => {
  s.forge = (entry) => entry.replace(/,"when":"[^"]*"/, '');
  s.createLink(String(s.decisions[1]?.row.decision_id), idOf('events')(s));
});
story('integrity', 'entry_unreadable', 'a key whose record commits to times', (s) => {
  const when = `"when":"${'A'.repeat(43)}"`;
  s.forge = (entry) => entry.replace('"commitments":{}', `"commitments":{${when}}`);
  s.act('key.revoked', 'key_1');
});
draft('integrity', 'activity_differs', 'an amount that was changed', (d) =>
  editRows(d, 'events.json', (rows) => {
    Object.assign(rows[0] ?? {}, { amount: '9.90' });
  }),
);
draft('integrity', 'activity_differs', 'a deleted event shown as current', (d) =>
  editRows(d, 'events.json', (rows) => {
    Object.assign(rows[0] ?? {}, { deleted_at: null });
  }),
);
draft('integrity', 'activity_differs', 'metadata that were added', (d) =>
  editRows(d, 'events.json', (rows) => {
    Object.assign(rows[1] ?? {}, { metadata: {} });
  }),
);
draft('integrity', 'activity_differs', 'a link that is stronger than it was', (d) =>
  editRows(d, 'links.json', (rows) => {
    Object.assign(rows[0] ?? {}, { correlation_strength: 1 });
  }),
);
draft('integrity', 'activity_differs', 'a link that somebody else reviewed', (d) =>
  editText(d, 'links.json', (text) =>
    text.replace('"reviewed_by":"key_00000000000000000000000002"', '"reviewed_by":"key_x"'),
  ),
);
draft('integrity', 'activity_differs', 'a score that was changed', (d) =>
  editText(d, 'links.json', (text) => text.replace('"probability":0.5', '"probability":0.9')),
);
draft('integrity', 'activity_seq', 'an event as it was before the export began', (d) =>
  editRows(d, 'events.json', (rows) => {
    const event = rows[0];
    if (event !== undefined)
      Object.assign(event, { activity_seq: 3, deleted_at: null, superseded_by: undefined });
  }),
);
draft('integrity', 'activity_seq', 'an activity of something else', (d) =>
  editRows(d, 'events.json', (rows) => {
    Object.assign(rows[2] ?? {}, { activity_seq: Number(rows[2]?.activity_seq) + 1 });
  }),
);
for (const [about, type, subject] of [
  ['an invented activity of an event', 'financial_event.noted', idOf('events')],
  ['an invented activity of a link', 'link.noted', idOf('links')],
  [
    'an invented activity of a decision',
    'decision.noted',
    (s) => String(s.decisions[0]?.row.decision_id),
  ],
  ['an event that is deleted like a link', 'link.deleted', idOf('events')],
  ['a key that is deleted like an event', 'financial_event.deleted', () => 'key_1'],
] as const satisfies readonly (readonly [string, string, (story: Story) => string])[]) {
  story('integrity', 'activity_unknown', about, (s) => void s.act(type, subject(s), { note: 'x' }));
}
draft('integrity', 'activity_unrecorded', 'an event that was never recorded', (d) =>
  editText(d, 'events.json', (text) =>
    text.replace(/"id":"evt_\d+"/, '"id":"evt_00000000000000000000000000"'),
  ),
);
draft('integrity', 'record_duplicate', 'a repeated link', (d) =>
  editRows(d, 'links.json', (rows) => [...rows, ...rows.slice(-1)]),
);
draft('integrity', 'record_order', 'links in another order', (d) =>
  editRows(d, 'links.json', (rows) => rows.reverse()),
);
draft('integrity', 'record_unreadable', 'a link with a member that nothing proves', (d) =>
  editRows(d, 'links.json', (rows) => {
    Object.assign(rows[0] ?? {}, { remark: 'x' });
  }),
);
draft('completeness', 'event_missing', 'an event that was left out', (d) =>
  editRows(d, 'events.json', (rows) => rows.slice(1)),
);
draft('completeness', 'event_outside', 'an event of another range', (d) =>
  editManifest(d, { 'range.end': '2026-01-07T00:00:00.000Z' }),
);
draft('completeness', 'link_missing', 'a link that was left out', (d) =>
  editRows(d, 'links.json', (rows) => rows.slice(1)),
);
draft('completeness', 'activity_ends', 'an activity chain that claims to continue another', (d) =>
  editManifest(
    editObject(d, 'chain_verification.json', { 'activity.start.prev_hash': '0'.repeat(64) }),
    { 'activity.first.prev_hash': '0'.repeat(64) },
  ),
);

draft(
  'integrity',
  'erasure_listed',
  'two erased fields listed as one name',
  (d) =>
    editRows(d, 'decisions.json', (rows) => {
      const erased = rows.find(({ erased_fields }) => String(erased_fields) !== '');
      Object.assign(erased ?? {}, { erased_fields: [String(erased?.erased_fields)] });
    }),
  {},
  erasedStory,
);

// What the service says about itself.
draft('integrity', 'statement_shape', 'a statement without its end', (d) =>
  editObject(d, 'chain_verification.json', { activity: undefined }),
);
for (const [about, change] of Object.entries({
  'a statement that the chain was broken': { is_valid: false },
  'a statement that the activity was broken': { 'activity.is_valid': false },
  'a statement about another beginning': { 'start.prev_hash': '0'.repeat(64) },
  'a statement about another end': { 'end.hash': '0'.repeat(64) },
  'a statement about fewer records': { 'activity.records_checked': 1 },
})) {
  draft('integrity', 'statement_differs', about, (d) =>
    editObject(d, 'chain_verification.json', change),
  );
}

// Time.
draft('time', 'time_after_export', 'records that were made after the bundle', (d) =>
  editManifest(d, { created_at: '2026-01-05T08:10:00.000Z' }),
);
story('time', 'time_backwards', 'a clock that was set back', (s) => {
  s.wait(-10);
  s.decide();
});
story('time', 'time_backwards', 'a clock that was set back, in the activity chain', (s) => {
  s.wait(-10);
  s.act('key.revoked', 'key_1');
});
story('time', 'time_ahead', 'a decision that is dated ahead', (s) => {
  s.decide({ timestamp: '2026-03-01T00:00:00.000Z' });
});

// Records for regulators.
const compliance = { exportType: 'compliance' } as const;
draft(
  'completeness',
  'count_differs',
  'fewer records than the manifest says',
  (d) => editLines(d, 'article12.json', (lines) => lines.filter((_, index) => index !== 2)),
  compliance,
);
draft(
  'integrity',
  'decision_hash',
  'a record that does not follow the one before',
  (d) =>
    editText(d, 'article12.json', (text) => {
      const hashes = [...text.matchAll(/"prev_hash":"([0-9a-f]{64})"/g)].map(
        ([, hash]) => hash ?? '',
      );
      return text.replace(`"prev_hash":"${hashes[1]}"`, `"prev_hash":"${'0'.repeat(64)}"`);
    }),
  compliance,
);
draft(
  'integrity',
  'record_duplicate',
  'a repeated record',
  (d) =>
    editLines(d, 'article12.json', (lines) => {
      lines.splice(3, 0, String(lines[2]));
    }),
  compliance,
);
draft(
  'integrity',
  'line_unreadable',
  'a record that is not UTF-8',
  (d) => {
    d.files.set('article12.json', Buffer.from([0xff, 0x0a]));
    return d;
  },
  compliance,
);
draft('completeness', 'sums_only', 'a bundle of sums only', (d) => d, { exportType: 'insurance' });

draft(
  'integrity',
  'decision_hash',
  'a compliance record with another agent',
  (d) => editText(d, 'article12.json', (text) => text.replace('refund-bot', 'another-bot')),
  compliance,
);
draft(
  'integrity',
  'commitment_differs',
  'a compliance record with another value',
  (d) => editText(d, 'article12.json', (text) => text.replace('"19.90"', '"0.01"')),
  compliance,
);
draft(
  'integrity',
  'erasure_listed',
  'a compliance record without a value',
  (d) =>
    editText(d, 'article12.json', (text) =>
      text.replace('"outputs":{"approved":true}', '"outputs":null'),
    ),
  compliance,
);
draft(
  'integrity',
  'erasure_listed',
  'a compliance record with two erased fields listed as one name',
  (d) =>
    editText(d, 'article12.json', (text) =>
      text.replace('["outputs","metadata"]', '["outputs, metadata"]'),
    ),
  compliance,
  () => {
    const told = shortStory();
    told.erase(told.decisions[0]?.row ?? {}, ['outputs', 'metadata']);
    return told;
  },
);
draft(
  'integrity',
  'record_unreadable',
  'a compliance record without oversight',
  (d) => editText(d, 'article12.json', (text) => text.replace('"verifier"', '"nobody"')),
  compliance,
);
draft(
  'completeness',
  'decision_outside',
  'a compliance record of another range',
  (d) => editManifest(d, { 'range.start': '2026-01-05T08:04:00.000Z' }),
  compliance,
);
draft(
  'integrity',
  'commitment_missing',
  'a compliance record with a value that was never recorded',
  (d) =>
    editText(d, 'article12.json', (text) =>
      text.replace('"alternatives":null', '"alternatives":[{"action":"deny"}]'),
    ),
  compliance,
);
draft(
  'integrity',
  'commitment_missing',
  'a record for regulators with metadata that were never recorded',
  (d) =>
    editText(d, 'article12.json', (text) =>
      text.replace('"metadata":null', '"metadata":{"reviewer_id":"Dr. Invented"}'),
    ),
  compliance,
  () => {
    const told = new Story();
    told.act('key.issued', 'key_1', { name: 'x' });
    told.decide({ metadata: null });
    return told;
  },
);
draft(
  'integrity',
  'commitment_missing',
  'a record for regulators with a salt of nothing',
  (d) =>
    editText(d, 'article12.json', (text) =>
      text.replace('"salts":{', '"salts":{"alternatives":"AAAAAAAAAAAAAAAAAAAAAA",'),
    ),
  compliance,
);
draft(
  'integrity',
  'use_differs',
  'a record for regulators with a reviewer that the metadata do not name',
  (d) =>
    editText(d, 'article12.json', (text) =>
      text.replace('"reviewer_id":null', '"reviewer_id":"Dr. Invented"'),
    ),
  compliance,
);
draft(
  'integrity',
  'genesis_wrong',
  'records for regulators of test data that are told as live',
  (d) => editManifest(d, { mode: 'live' }),
  compliance,
  () => fullStory({ mode: 'test' }),
);

// Statements.
function statement(
  code: FindingCode,
  about: string,
  change: Change,
  verdict: VerdictName = 'integrity',
) {
  draft(verdict, code, about, change, { exportType: 'statement' }, () => statementStory());
}

/** Replaces a text of statement.json. */
const restated = (from: string | RegExp, to: string) => (d: ReturnType<typeof draftOf>) =>
  editText(d, 'statement.json', (text) => text.replace(from, to));

/** Leaves out a row. */
const without = (part: string) => (d: ReturnType<typeof draftOf>) =>
  editLines(d, 'statement.json', (lines) => lines.filter((line) => !line.includes(part)));

statement('figure_shape', 'a statement without its agent', restated(/"agent_id":"[^"]*",/, ''));
statement(
  'figure_shape',
  'a statement of another ledger',
  restated('"ledger":"led_0', '"ledger":"led_1'),
);
statement(
  'figure_shape',
  'a statement with an unknown member',
  restated('"digits":2,', '"digits":2,"x":1,'),
);
statement('figure_shape', 'a statement that does not end', restated('\n]}\n', '\n'));
statement('figure_shape', 'something after the end of a statement', restated(/$/, '{}\n'));
for (const [name, from, to] of [
  ['revenue', '"revenue":"50.00"', '"revenue":"50.01"'],
  ['savings', '"savings":"0.00"', '"savings":"10.00"'],
  ['costs', '"costs":"0.00"', '"costs":"-0.01"'],
  ['refunds', '"refunds":"-0.01"', '"refunds":"0.00"'],
  ['losses', '"losses":"-33.01"', '"losses":"-33.02"'],
  ['confirmed net', '"net":"16.98"', '"net":"16.97"'],
  ['matched', '"net":"25.00"', '"net":"26.00"'],
  ['expected net', '"net":"41.98"', '"net":"41.97"'],
  ['guessed', '"guessed":{"revenue":"0.00"', '"guessed":{"revenue":"0.01"'],
  ['exposure', '"expected":"12.50"', '"expected":"12.51"'],
  ['realised loss', '"realised":"33.01"', '"realised":"0.00"'],
  ['sum of a currency', '"confirmed":"-30.01"', '"confirmed":"-30.00"'],
  ['sum without a rate', '"unconverted":"10"', '"unconverted":"0"'],
  ['currency', '"currency":"JPY","confirmed"', '"currency":"CHF","confirmed"'],
  ['interval', '"low":"16.98"', '"low":"99.00"'],
] as const) {
  statement('figure_differs', `a statement with another ${name}`, restated(from, to));
}
statement(
  'figure_differs',
  'a row of another amount',
  restated('"converted_amount":"50"', '"converted_amount":"51"'),
);
statement(
  'figure_differs',
  'an exposure of another amount',
  restated('"exposure":"12.500000"', '"exposure":"12.600000"'),
);
statement('figure_differs', 'a dropped row', without('"link_type":"saving"'));
statement(
  'figure_state',
  'a statement of an earlier activity',
  restated(/"activity":\{"seq":\d+/, '"activity":{"seq":3'),
);
statement(
  'figure_state',
  'a statement of another decision chain',
  restated(/("decisions":\{"seq":4,"hash":")[0-9a-f]/, '$1f'),
);
statement(
  'row_range',
  'a statement of another range',
  restated('"start":"2026-01-01', '"start":"2025-01-01'),
);
statement(
  'row_range',
  'a row of another range',
  restated('2026-01-10T12:00:00.000Z', '2026-05-10T12:00:00.000Z'),
);
statement(
  'row_amount',
  'a counted amount that is not that of the event',
  restated('"counted_amount":"-30.01"', '"counted_amount":"-30.02"'),
);
statement(
  'row_amount',
  'an amount that was converted otherwise',
  restated(
    '"rate":"1.1","converted_amount":"-33.011"',
    '"rate":"1.1","converted_amount":"-33.0111"',
  ),
);
statement(
  'row_amount',
  'an amount without a rate that was converted',
  restated('"rate":null,"converted_amount":null', '"rate":null,"converted_amount":"1"'),
);
statement(
  'row_rate',
  'a rate that is not listed',
  restated(
    '"rate":"1.1","converted_amount":"-33.011"',
    '"rate":"1.2","converted_amount":"-36.012"',
  ),
);
statement(
  'row_rate',
  'a rate of a later day',
  restated('"date":"2026-01-01"', '"date":"2026-01-08"'),
);
statement(
  'row_share',
  'a share that the links do not make',
  restated('"share":"0.250000000000"', '"share":"0.260000000000"'),
);
statement(
  'row_share',
  'an amount that is not the share',
  restated(
    '"share":"1.000000000000","amount":"10.000000000000"',
    '"share":"1.000000000000","amount":"9.000000000000"',
  ),
);
statement(
  'row_decision',
  'a row with another hash',
  restated(/("converted_amount":"25".*"hash":")[0-9a-f]{2}/, '$100'),
);
statement(
  'row_decision',
  'a row with another seq',
  restated(/("converted_amount":"25".*"seq":)3/, '$12'),
);
statement('row_decision', 'a decision at another time', (d) =>
  editLines(d, 'statement.json', (lines) =>
    lines.map((line) =>
      line.startsWith('{"row":"decision"') ? line.replace(/T\d\d:/, 'T01:') : line,
    ),
  ),
);
statement(
  'row_decision',
  'a row of an unknown decision',
  restated(/("converted_amount":"25","decision_id":"dec_)0/, '$19'),
);
statement(
  'row_event',
  'an event of another amount',
  restated(
    '"event_amount":"10","counted_amount":"10"',
    '"event_amount":"-10","counted_amount":"10"',
  ),
);
statement(
  'row_event',
  'an event in another currency',
  restated('"currency":"EUR","event_amount"', '"currency":"USD","event_amount"'),
);
statement(
  'row_link',
  'a link of another type',
  restated('"link_type":"cost"', '"link_type":"refund"'),
);
statement(
  'row_link',
  'a link with another label',
  restated('"label":"matched"', '"label":"confirmed"'),
);
statement(
  'row_missing',
  'a decision without a row',
  (d) => without('"seq":3,')(without('"exposure":"0.005000"')(d)),
  'completeness',
);
statement(
  'row_missing',
  'a link without a row',
  without('"converted_amount":"25"'),
  'completeness',
);
statement(
  'row_agent',
  'a statement of another agent',
  restated('"agent_id":"refund-bot"', '"agent_id":"pricing-bot"'),
);
statement(
  'count_differs',
  'a statement with another number of decisions',
  restated('"decisions":2}', '"decisions":3}'),
  'completeness',
);
statement('record_duplicate', 'a row that appears twice', (d) =>
  editLines(d, 'statement.json', (lines) =>
    lines.flatMap((line) => (line.includes('"25"') ? [line, line] : [line])),
  ),
);
statement('record_order', 'rows in another order', (d) =>
  editLines(d, 'statement.json', ([head = '', first = '', second = '', ...rest]) => [
    head,
    second,
    first,
    ...rest,
  ]),
);
statement('record_unreadable', 'a row without its link', restated('"label":"matched",', ''));
statement('line_unreadable', 'a row that is no text', (d) => {
  d.files.set(
    'statement.json',
    Buffer.concat([d.files.get('statement.json') ?? Buffer.from(''), Buffer.from([0xff, 10])]),
  );
  return d;
});
