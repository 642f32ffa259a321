import { Link } from '@decision-ledger/contract/link';
import { verifyBundle } from '@decision-ledger/verifier/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf } from '../support/client.js';
import { decide } from '../support/estimates.js';
import { bundleOf, type Downloaded, fingerprintOf, textOf } from '../support/exports.js';
import { link, recordEvent } from '../support/money.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { type Forgery, forgeryOf, seal } from './support/forge.js';
import { setTime } from './support/rewrite.js';

// The operator holds the database and every key. Every forgery is signed again; the verdicts are written by hand.

const JANUARY = { start_date: '2027-01-01', end_date: '2027-01-31' };
const WITHHELD = 'withheld.ndjson';
const ZERO = '0'.repeat(64);

let bed: TestService;
let client: Client;
let scope: Scope;
let fingerprint: string;
/** An unfiltered bundle, the filtered one that is attacked, and an unfiltered one that was made later. */
let earlier: Downloaded;
let honest: Downloaded;
let later: Downloaded;

beforeAll(async () => {
  bed = await openTestService('embedded');
  bed.clock.advance(Date.UTC(2026, 3, 16) - bed.clock.now());
  client = (await bed.organisation()).live;
  bed.clock.advance(Date.UTC(2027, 5, 1) - bed.clock.now());
  await client.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
  scope = await scopeOf(bed, client);
  await setTime(bed, scope, '2026-12-30T10:00:00Z');
  await of('C-99');
  await bundleOf(bed, client, { export_type: 'insurance' });
  await setTime(bed, scope, '2027-01-10T10:00:00Z');
  const first = await of('C-17');
  const second = await of('C-99');
  await of('C-17');
  await of('C-99');
  await of('C-99');
  const loss = await recordEvent(client, { timestamp: '2027-01-12T00:00:00Z', event_type: 'loss' });
  const strange = await recordEvent(client, { timestamp: '2027-01-12T00:00:00Z' });
  for (const [decision, event] of [
    [first, loss],
    [second, strange],
  ] as const) {
    dataOf(await client.post('/links', link(decision.decision_id, event.id)), Link, 201);
  }
  await setTime(bed, scope, '2027-02-20T10:00:00Z');
  await of('C-99');
  earlier = await bundleOf(bed, client, JANUARY);
  honest = await bundleOf(bed, client, {
    ...JANUARY,
    filter: { metadata: { customer_id: 'C-17' } },
  });
  later = await bundleOf(bed, client, JANUARY);
  fingerprint = await fingerprintOf(client);
});
afterAll(() => bed.close());

const of = (customer: string) =>
  decide(client, { agent_id: `agent-of-${customer}`, metadata: { customer_id: customer } });

const source = (archive: Buffer) => ({
  size: archive.length,
  read: async (offset: number, length: number) => archive.subarray(offset, offset + length),
});

/** What an auditor reads who kept a checkpoint: three verdicts, and the codes of those that fail. */
async function read(archive: Buffer, previous?: Buffer): Promise<string> {
  const { verdicts } = await verifyBundle(source(archive), {
    keyFingerprint: fingerprint,
    checkpoint: textOf(later, 'activity.checkpoint'),
    consistency: await consistency(),
    ...(previous !== undefined && { previous: source(previous) }),
  });
  const { integrity, completeness, selection } = verdicts;
  const all = [integrity, completeness, ...(selection === undefined ? [] : [selection])];
  const codes = all.flatMap(({ verdict, findings }) =>
    verdict === 'fail' ? findings.map(({ code }) => code) : [],
  );
  return [...all.map(({ verdict }) => verdict), ...new Set(codes)].join(' ');
}

async function consistency(): Promise<string> {
  const size = (bundle: Downloaded) => textOf(bundle, 'activity.checkpoint').split('\n')[1];
  const path = `/log/activity/consistency?first=${size(honest)}&second=${size(later)}`;
  return (await client.get(path)).text;
}

const lines = ({ files }: Forgery, name: string, change: (all: string[]) => string[]) =>
  void files.set(name, `${change((files.get(name) ?? '').trimEnd().split('\n')).join('\n')}\n`);

const selectionOf = ({ manifest }: Forgery) => Object(manifest.selection);

function states(forgery: Forgery, selection: object, decisions: object = {}) {
  Object.assign(forgery.manifest, { selection: { ...selectionOf(forgery), ...selection } });
  forgery.manifest.decisions = { ...forgery.manifest.decisions, ...decisions };
}

/** Moves a decision from what is shown to what is withheld, with all counts. */
function withholdDecision(forgery: Forgery, seq: number) {
  const isOf = (line: string) => line.includes(`"seq":${seq},`);
  const row: { hash: string } = JSON.parse(
    (forgery.files.get('decisions.json') ?? '').split('\n').find(isOf)?.replace(/,$/, '') ?? '{}',
  );
  const rows = (forgery.files.get('decisions.json') ?? '').split('\n').slice(1, -2);
  const kept = rows.filter((line) => !isOf(line)).map((line) => line.replace(/,$/, ''));
  forgery.files.set('decisions.json', `[\n${kept.join(',\n')}\n]\n`);
  lines(forgery, 'entries.ndjson', (all) => all.filter((line) => !isOf(line)));
  lines(forgery, WITHHELD, (all) =>
    [...all, `[${seq},"${row.hash}"]`].sort((a, b) => JSON.parse(a)[0] - JSON.parse(b)[0]),
  );
  states(forgery, { withheld: selectionOf(forgery).withheld + 1 }, { count: kept.length });
}

/** Shows a decision of another customer, as the unfiltered bundle has it. */
function showDecision(forgery: Forgery, seq: number) {
  const isOf = (line: string) => line.includes(`"seq":${seq},`);
  const found = (name: string) =>
    textOf(earlier, name).split('\n').find(isOf)?.replace(/,$/, '') ?? '';
  const rows = [
    ...(forgery.files.get('decisions.json') ?? '').split('\n').slice(1, -2),
    found('decisions.json'),
  ];
  const ordered = rows
    .map((line) => line.replace(/,$/, ''))
    .sort((a, b) => JSON.parse(a).seq - JSON.parse(b).seq);
  forgery.files.set('decisions.json', `[\n${ordered.join(',\n')}\n]\n`);
  lines(forgery, 'entries.ndjson', ([genesis = '', ...all]) => [
    genesis,
    ...[...all, found('entries.ndjson')].sort((a, b) => JSON.parse(a).seq - JSON.parse(b).seq),
  ]);
  lines(forgery, WITHHELD, (all) => all.filter((line) => !line.startsWith(`[${seq},`)));
  states(forgery, { withheld: selectionOf(forgery).withheld - 1 }, { count: ordered.length });
}

/** Shows records of the activity chain as hashes alone: those of a type and what is disclosed of them. */
function hideActivity(forgery: Forgery, type: string) {
  const entries = textOf(later, 'activity.ndjson')
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const next = (seq: number) => JSON.parse(entries[seq + 1] ?? '{}').prev_hash;
  let isHidden = false;
  lines(forgery, 'activity.ndjson', (all) =>
    all.flatMap((line) => {
      if (line.startsWith('[')) return isHidden ? [] : [line];
      isHidden = line.startsWith('{') && JSON.parse(line).type === type;
      return isHidden ? [`"${next(JSON.parse(line).seq)}"`] : [line];
    }),
  );
}

const NOTHING = '[\n]\n';

const ATTACKS: readonly [about: string, verdicts: string, forge: (forgery: Forgery) => void][] = [
  [
    'a hash is altered',
    'fail fail unproven entry_link log_range',
    (f) =>
      lines(f, WITHHELD, ([first = '', ...rest]) => [
        first,
        ...rest.map((line) => line.replace(/"[0-9a-f]{64}/, `"${ZERO}`)),
      ]),
  ],
  [
    'a hash is dropped',
    'fail fail unproven entry_link count_differs log_range run_gap',
    (f) => lines(f, WITHHELD, (all) => all.filter((_, at) => at !== 1)),
  ],
  [
    'a hash is doubled',
    'fail unproven unproven record_order count_differs',
    (f) =>
      lines(f, WITHHELD, (all) => all.flatMap((line, at) => (at === 1 ? [line, line] : [line]))),
  ],
  [
    'two hashes are swapped',
    'fail unproven unproven log_range',
    (f) =>
      lines(f, WITHHELD, (all) => {
        const [a, b] = [all.at(-3) ?? '', all.at(-2) ?? ''];
        const swapped = [
          `${a.split(',')[0]},${b.split(',')[1]}`,
          `${b.split(',')[0]},${a.split(',')[1]}`,
        ];
        return [...all.slice(0, -3), ...swapped, ...all.slice(-1)];
      }),
  ],
  [
    'a decision that does not match is shown',
    'pass pass fail record_unchosen',
    (f) => showDecision(f, 3),
  ],
  [
    'another filter is stated',
    'fail unproven fail filter_differs record_unchosen',
    (f) => states(f, { filter: { metadata: { customer_id: 'C-18' } } }),
  ],
  [
    'the filter is widened',
    'fail unproven unproven filter_differs',
    (f) => states(f, { filter: { metadata: { customer_id: 'C-17' }, min_confidence: 0 } }),
  ],
  [
    'more are withheld than are said to be',
    'fail unproven unproven count_differs',
    (f) => states(f, { withheld: 4 }),
  ],
  ['a range without the withheld', 'pass pass unproven', (f) => states(f, { in_range: 2 })],
  [
    'a range with more than the run',
    'fail unproven unproven count_differs',
    (f) => states(f, { in_range: 99 }),
  ],
  [
    'erasures that nothing shows',
    'fail unproven unproven count_differs',
    (f) => states(f, { erased: 1 }),
  ],
  [
    'a wrong number of decisions',
    'fail fail unproven count_differs',
    (f) => states(f, {}, { count: 3 }),
  ],
  [
    'it is presented as unfiltered',
    'fail fail',
    (f) => {
      f.files.delete(WITHHELD);
      Reflect.deleteProperty(f.manifest, 'selection');
    },
  ],
  [
    'the filter is removed and the hashes are kept',
    'fail fail',
    (f) => void Reflect.deleteProperty(f.manifest, 'selection'),
  ],
  [
    'an event is withheld whose link is shown',
    'pass fail unproven event_missing',
    (f) => {
      f.files.set('events.json', NOTHING);
      hideActivity(f, 'financial_event.recorded');
    },
  ],
  [
    'the record that names the checkpoint is a hash',
    'fail unproven unproven log_unnamed',
    (f) => hideActivity(f, 'checkpoint.signed'),
  ],
  [
    'the record of the request is a hash',
    'fail unproven unproven custody_differs',
    (f) => hideActivity(f, 'export.requested'),
  ],
];

describe('Forged bundles that a filter chose', () => {
  it('The honest bundle passes, alone and compared with what was and is shown', async () => {
    const passed = 'pass pass unproven';
    expect(await read(honest.archive)).toBe(passed);
    expect(await read(honest.archive, earlier.archive)).toBe(passed);
    expect(await read(later.archive, honest.archive)).toBe('pass pass');
  });

  it.each(ATTACKS)('%s gets the verdicts %s', async (_about, verdicts, forge) => {
    const forgery = forgeryOf(honest);
    forge(forgery);
    const found = await read(await seal(bed, scope, forgery));
    expect(found.startsWith(verdicts) ? verdicts : found).toBe(verdicts);
  });

  it('A matching decision that is withheld fails against a bundle that shows it, before or after', async () => {
    const forgery = forgeryOf(honest);
    withholdDecision(forgery, 4);
    const forged = await seal(bed, scope, forgery);
    expect(await read(forged)).toBe('pass pass unproven');
    expect(await read(forged, earlier.archive)).toBe('pass pass fail previous_contradicts');
    expect(await read(forged, honest.archive)).toBe('pass pass fail previous_contradicts');
    expect(await read(later.archive, forged)).toBe('pass fail previous_omits');
  });

  it('A hash stands for no record of an unfiltered bundle', async () => {
    const forgery = forgeryOf(earlier);
    hideActivity(forgery, 'link.created');
    expect(await read(await seal(bed, scope, forgery))).toMatch(/^fail .*entry_unreadable/);
  });
});
