import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { signCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { verifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import type { Draft } from './bundle.js';
import { editManifest, editObject, editText } from './edit.js';
import { type Attack, lines, swap } from './operator-records.js';
import { february, threeMonths } from './three-months.js';

const stranger = february(threeMonths('led_00000000000000000000000002'));
const RANGE = 'decisions.range.json';
const range = (change: object) => (draft: Draft) =>
  editText(draft, RANGE, (text) => `${JSON.stringify({ ...JSON.parse(text), ...change })}\n`);
const hashes = (member: 'left' | 'right', change: (all: string[]) => string[]) => (draft: Draft) =>
  editText(draft, RANGE, (text) => {
    const proof = JSON.parse(text);
    return `${JSON.stringify({ ...proof, [member]: change(proof[member]) })}\n`;
  });
const ZERO = encodeBase64(new Uint8Array(32));
const manifest = (changes: Parameters<typeof editManifest>[1]) => (draft: Draft) =>
  editManifest(draft, changes);

/** Changes of the run, its proof, the checkpoints and the manifest. */
export const LOG_ATTACKS: readonly Attack[] = [
  [
    'the first hash on the left is another',
    'fail unproven log_range',
    hashes('left', ([, ...rest]) => [ZERO, ...rest]),
  ],
  [
    'the last hash on the right is another',
    'fail unproven log_range',
    hashes('right', (all) => [...all.slice(0, -1), ZERO]),
  ],
  [
    'the hashes on the left are reversed',
    'fail unproven log_range',
    hashes('left', (all) => [...all, ZERO].reverse()),
  ],
  [
    'a hash is added on the right',
    'fail unproven log_range',
    hashes('right', (all) => [...all, ZERO]),
  ],
  ['the hashes on the right are left out', 'fail unproven log_range', hashes('right', () => [])],
  [
    'a million hashes stand on the left',
    'fail unproven file_size',
    hashes('left', (all) => Array.from({ length: 1e6 }, () => all[0] ?? ZERO)),
  ],
  ['the run is moved in the log', 'fail unproven log_range', range({ lo: 2 })],
  ['the run begins behind the log', 'fail unproven log_range', range({ lo: 1000 })],
  [
    'the log has the largest size',
    'fail unproven log_range',
    range({ size: Number.MAX_SAFE_INTEGER }),
  ],
  [
    'the log has an infinite size',
    'fail unproven log_range',
    (d) => editText(d, RANGE, (text) => text.replace(/"size":\d+/, '"size":1e999')),
  ],
  ['the size is a text', 'fail unproven log_range', range({ size: '12' })],
  [
    'the range has a prototype',
    'fail unproven log_range',
    (d) => editText(d, RANGE, (text) => text.replace('{', '{"__proto__":{},')),
  ],
  [
    'the size is named twice',
    'fail unproven log_range',
    (d) => editText(d, RANGE, (text) => text.replace('{', '{"size":12,')),
  ],
  [
    'an entry is repeated',
    'fail fail entry_link',
    lines('entries.ndjson', (all) => [...all.slice(0, 3), all[2] ?? '', ...all.slice(3)]),
  ],
  [
    'two entries are exchanged',
    'fail fail entry_link',
    lines('entries.ndjson', (all) => swap(all, 2, 3)),
  ],
  [
    'an entry in the middle is left out',
    'fail fail entry_link',
    lines('entries.ndjson', (all) => all.filter((_, at) => at !== 3)),
  ],
  [
    'an entry of the activity is repeated',
    'fail fail entry_seq',
    lines('activity.ndjson', (all) => [...all.slice(0, 2), all[1] ?? '', ...all.slice(2)]),
  ],
  [
    'one checkpoint stands for both logs',
    'fail unproven log_signature',
    (d) => copy(d, d, ['activity.checkpoint'], 'decisions.checkpoint'),
  ],
  [
    'a checkpoint of another ledger',
    'fail unproven log_signature',
    (d) => copy(stranger, d, ['decisions.checkpoint']),
  ],
  [
    'the run of another ledger',
    'fail fail genesis_wrong',
    (d) => copy(stranger, d, ['entries.ndjson', RANGE]),
  ],
  [
    'the decisions of another ledger, with their log',
    'fail unproven log_signature',
    (d) =>
      editManifest(
        copy(stranger, d, ['entries.ndjson', RANGE, 'decisions.json', 'decisions.checkpoint']),
        { decisions: stranger.manifest.decisions ?? null },
      ),
  ],
  [
    'the activity of another ledger, with its log',
    'fail fail genesis_wrong',
    (d) => copy(stranger, d, ['activity.ndjson', 'activity.checkpoint']),
  ],
  [
    'a line is added to a checkpoint',
    'fail unproven log_signature',
    (d) => editText(d, 'decisions.checkpoint', (text) => text.replace('\n\n', '\nmore\n\n')),
  ],
  [
    'a checkpoint has the line ends of another system',
    'fail fail log_signature',
    (d) => editText(d, 'activity.checkpoint', (text) => text.replaceAll('\n', '\r\n')),
  ],
  [
    'a checkpoint with another size',
    'fail unproven log_signature',
    (d) => editText(d, 'decisions.checkpoint', (text) => text.replace('\n12\n', '\n11\n')),
  ],
  ['a checkpoint of a second generation', 'fail unproven log_signature', (d) => generation(d)],
  [
    'both logs have one key',
    'fail unproven log_signature',
    (d) => editManifest(d, { 'logs.decisions': logOf(d, 'activity') }),
  ],
  [
    'the keys of the logs are exchanged',
    'fail fail log_signature',
    (d) =>
      editManifest(d, {
        logs: { decisions: logOf(d, 'activity'), activity: logOf(d, 'decisions') },
      }),
  ],
  [
    'no end of the chain is named',
    'fail unproven head_differs',
    manifest({ 'decisions.head': null }),
  ],
  [
    'an end of the chain behind the log',
    'fail unproven head_differs',
    manifest({ 'decisions.head.seq': Number.MAX_SAFE_INTEGER }),
  ],
  [
    'an endless number of decisions',
    'fail unproven manifest_shape',
    manifest({ 'decisions.count': 1e308 }),
  ],
  [
    'a negative number of decisions',
    'fail unproven manifest_shape',
    manifest({ 'decisions.count': -1 }),
  ],
  [
    'a broken number of decisions',
    'fail unproven manifest_shape',
    manifest({ 'decisions.count': 5.5 }),
  ],
  [
    'a first decision that no number can name',
    'fail unproven manifest_shape',
    manifest({ 'decisions.first.seq': 2 ** 53 }),
  ],
  [
    'an export that began behind the activity',
    'pass fail activity_ends',
    manifest({ 'activity.since': Number.MAX_SAFE_INTEGER }),
  ],
  [
    'an export that began before the activity',
    'fail unproven manifest_shape',
    manifest({ 'activity.since': -1 }),
  ],
  [
    'a range that ends with all time',
    'fail unproven manifest_shape',
    manifest({ 'range.end': '+275760-09-13T00:00:00.000Z' }),
  ],
  [
    'a range that ends with the years of four digits',
    'fail fail custody_differs',
    manifest({ 'range.end': '9999-12-31T23:59:59.999Z' }),
  ],
  [
    'a range that is half as long',
    'fail unproven custody_differs',
    manifest({ 'range.end': '2026-02-14T00:00:00.000Z' }),
  ],
  [
    'another basis of the range',
    'pass unproven lateness_unbounded',
    manifest({ 'range.basis': 'decided' }),
  ],
  ['another type of export', 'fail fail file_missing', manifest({ export_type: 'compliance' })],
  ['the other mode', 'fail unproven genesis_wrong', manifest({ mode: 'test' })],
  [
    'a custody that names another request',
    'fail unproven custody_differs',
    (d) => editObject(d, 'custody.json', { 'requested.activity_seq': 1 }),
  ],
  [
    'entries of only the range',
    'fail fail entry_link',
    lines('entries.ndjson', (all) => [all[0] ?? '', ...all.slice(2, -1)]),
  ],
];

function copy(from: Draft, to: Draft, names: readonly string[], as?: string): Draft {
  for (const name of names) to.files.set(as ?? name, from.files.get(name) ?? Buffer.alloc(0));
  return to;
}

function logOf({ manifest: { logs } }: Draft, chain: string): string {
  return String(Object(logs)[chain]);
}

function generation(draft: Draft): Draft {
  const [former = '', size = '', root = ''] = String(draft.files.get('decisions.checkpoint')).split(
    '\n',
  );
  const origin = `${former}/2`;
  const key = verifierKey(origin, new Uint8Array(32).fill(9));
  const note = signCheckpoint(
    { origin, size: Number(size), root: Buffer.from(root, 'base64') },
    key,
    () => new Uint8Array(64),
  );
  draft.files.set('decisions.checkpoint', Buffer.from(note));
  return editManifest(draft, { 'logs.decisions': verifierKeyText(key) });
}
