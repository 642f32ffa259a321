import { Decision } from '@decision-ledger/contract/decision';
import { LinkPage } from '@decision-ledger/contract/link';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { verifyBundle } from '@decision-ledger/verifier/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActivityChange, recordActivities } from '#server/domains/log/activity/index';
import { type Client, dataOf } from '../support/client.js';
import { decide } from '../support/estimates.js';
import {
  askFor,
  bundleOf,
  check,
  type Downloaded,
  download,
  fingerprintOf,
  make,
  textOf,
} from '../support/exports.js';
import { followLogs } from '../support/followers.js';
import { link, recordEvent } from '../support/money.js';
import { openTestService, type TestService } from '../support/service.js';
import { NOTHING_FOUND } from './support/attacks.js';
import { editActivity, editRecords, hashesOf } from './support/edit-activity.js';
import { type Forgery, forgeryOf, seal } from './support/forge.js';
import { JANUARY, januaryLedger } from './support/january.js';
import { type MoneyStory, moneyStory } from './support/money-story.js';

// The operator holds the database and every key. Every forgery is signed again; the verdicts are written by hand.

let bed: TestService;
let story: MoneyStory;
let fingerprint: string;
let ids: MoneyStory['ids'];

type Kind = 'forensic' | 'filtered' | 'chosen' | 'alpha' | 'beta' | 'gamma';
const bundles = new Map<Kind, Downloaded>();
const honest = (kind: Kind): Downloaded => {
  const bundle = bundles.get(kind);
  if (bundle === undefined) throw new Error(`there is no bundle ${kind}`);
  return bundle;
};

const FIELDS = {
  forensic: {},
  filtered: { filter: { agent_id: 'alpha' } },
  chosen: { filter: { agent_id: 'gamma' } },
  alpha: { export_type: 'statement', agent_id: 'alpha' },
  beta: { export_type: 'statement', agent_id: 'beta' },
  gamma: { export_type: 'statement', agent_id: 'gamma' },
} as const;

beforeAll(async () => {
  bed = await openTestService('embedded');
  story = await moneyStory(bed);
  ({ ids } = story);
  await story.goTo('2027-03-20T10:00:00Z');
  for (const kind of ['forensic', 'filtered', 'chosen', 'alpha', 'beta', 'gamma'] as const) {
    bundles.set(kind, await bundleOf(bed, story.client, { ...JANUARY, ...FIELDS[kind] }));
  }
  fingerprint = await fingerprintOf(story.client);
});
afterAll(() => bed.close());

const source = (archive: Buffer) => ({
  size: archive.length,
  read: async (offset: number, length: number) => archive.subarray(offset, offset + length),
});

/** What an auditor reads who kept the checkpoint of the bundle: the verdicts, and the codes of those that fail. */
async function read(archive: Buffer, kind: Kind, previous?: Buffer): Promise<string> {
  const { verdicts } = await verifyBundle(source(archive), {
    keyFingerprint: fingerprint,
    checkpoint: textOf(honest(kind), 'activity.checkpoint'),
    ...(previous !== undefined && { previous: source(previous) }),
  });
  const { integrity, completeness, selection } = verdicts;
  const all = [integrity, completeness, ...(selection === undefined ? [] : [selection])];
  const codes = all.flatMap(({ verdict, findings }) =>
    verdict === 'fail' ? findings.map(({ code }) => code) : [],
  );
  return [...all.map(({ verdict }) => verdict), ...new Set(codes)].join(' ');
}

async function forged(kind: Kind, forge: (forgery: Forgery) => void): Promise<string> {
  const forgery = forgeryOf(honest(kind));
  forge(forgery);
  return read(await seal(bed, story.scope, forgery), kind);
}

type Named = keyof MoneyStory['ids'];
const isPairing = (type: string) => type.startsWith('movement.');

/** Withholds the data of records about some events and links, or of those of their movements alone. */
function withhold(forgery: Forgery, names: readonly Named[], only = (_type: string) => true): void {
  const subjects = names.map((name) => ids[name]);
  editActivity(forgery, (record) => {
    if (subjects.includes(record.subject) && only(record.type)) record.data = null;
  });
}

/** Leaves events and links out, with all that is disclosed of them. */
function leaveOut(forgery: Forgery, ...names: readonly Named[]): void {
  withhold(forgery, names);
  const subjects = names.map((name) => ids[name]);
  for (const file of ['events.json', 'links.json'] as const) {
    if (forgery.files.has(file)) {
      editRecords(forgery, file, (rows) => rows.filter(({ id }) => !subjects.includes(id)));
    }
  }
}

/** Says that events changed last when they were recorded. */
function asRecorded(forgery: Forgery, ...names: readonly Named[]): void {
  const made = new Map<string, number>();
  editActivity(forgery, ({ type, subject, seq }) => {
    if (type === 'financial_event.recorded') made.set(subject, seq);
  });
  const subjects = names.map((name) => ids[name]);
  editRecords(forgery, 'events.json', (rows) =>
    rows.map((row) =>
      subjects.includes(row.id) ? { ...row, activity_seq: made.get(row.id) } : row,
    ),
  );
}

/** Shows records as hashes alone, as a filtered bundle does. */
function hide(forgery: Forgery, names: readonly Named[], only = (_type: string) => true): void {
  const hashes = hashesOf(honest('forensic'));
  const subjects = names.map((name) => ids[name]);
  editActivity(forgery, (record) => {
    if (!subjects.includes(record.subject) || !only(record.type)) return;
    Object.assign(record, { entry: `"${hashes.get(record.seq)}"`, when: null, data: null });
  });
}

/** Exchanges what two records about movements disclose. */
function exchange(forgery: Forgery, one: Named, other: Named): void {
  const found: { data: string | null; when: string | null }[] = [];
  editActivity(forgery, (record) => {
    if (isPairing(record.type) && [ids[one], ids[other]].includes(record.subject)) {
      found.push(record);
      const [first, second] = found;
      if (first === undefined || second === undefined || found.length > 2) return;
      [first.data, second.data] = [second.data, first.data];
    }
  });
}

const inStatement = (forgery: Forgery, changes: readonly (readonly [string, string])[]) => {
  let text = forgery.files.get('statement.json') ?? '';
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`the statement has no ${from}`);
    text = text.replaceAll(from, to);
  }
  forgery.files.set('statement.json', text);
};

/** What the row of the sale would be if it had one link. */
const DOUBLED = [
  ['"share":"0.500000000000"', '"share":"1.000000000000"'],
  ['"34.000000000000"', '"68.000000000000"'],
  ['"converted_amount":"34"', '"converted_amount":"68"'],
  ['"34.00"', '"68.00"'],
] as const;

/** What it would be with the tax that the witness states. */
const GROSS = [
  ['"counted_amount":"68.00"', '"counted_amount":"70.00"'],
  ['"34.000000000000"', '"35.000000000000"'],
  ['"converted_amount":"34"', '"converted_amount":"35"'],
  ['"34.00"', '"35.00"'],
] as const;

type Attack = readonly [
  about: string,
  kind: Kind,
  verdicts: string,
  forge: (forgery: Forgery) => void,
];

const ATTACKS: readonly Attack[] = [
  [
    'The pairing of the report that leads is withheld',
    'forensic',
    'fail fail disclosure_missing movement_differs withheld_in_range',
    (f) => withhold(f, ['charge'], isPairing),
  ],
  [
    'The pairing of a witness is withheld',
    'forensic',
    'fail fail disclosure_missing movement_differs withheld_in_range',
    (f) => withhold(f, ['booking'], isPairing),
  ],
  [
    'A pairing is withheld, and the witness left out',
    'forensic',
    'fail fail activity_seq withheld_in_range',
    (f) => {
      leaveOut(f, 'booking');
      withhold(f, ['charge'], isPairing);
      asRecorded(f, 'charge');
    },
  ],
  [
    'A witness is left out',
    'forensic',
    'fail fail movement_differs withheld_in_range',
    (f) => leaveOut(f, 'booking'),
  ],
  [
    'A witness is left out of the file alone',
    'forensic',
    'pass fail event_missing',
    (f) => editRecords(f, 'events.json', (rows) => rows.filter(({ id }) => id !== ids.booking)),
  ],
  [
    'A pairing is moved to another event',
    'forensic',
    'fail fail disclosure_differs disclosure_missing movement_differs withheld_in_range',
    (f) => exchange(f, 'charge', 'sale'),
  ],
  [
    'The lead of a pairing is swapped',
    'forensic',
    'fail fail disclosure_differs disclosure_missing withheld_in_range',
    (f) =>
      editActivity(f, (record) => {
        if (isPairing(record.type)) {
          record.data =
            record.data?.replace(`"lead":"${ids.charge}"`, `"lead":"${ids.booking}"`) ?? null;
        }
      }),
  ],
  [
    'The times of a pairing are changed',
    'forensic',
    'fail fail disclosure_differs disclosure_missing event_outside',
    (f) =>
      editActivity(f, (record) => {
        if (isPairing(record.type)) {
          record.when = record.when?.replace('2027-02-02', '2027-02-03') ?? null;
        }
      }),
  ],
  [
    'The times of a pairing are withheld',
    'forensic',
    'fail fail disclosure_missing event_outside',
    (f) =>
      editActivity(f, (record) => {
        if (isPairing(record.type) && record.subject === ids.booking) record.when = null;
      }),
  ],
  [
    'A parted pair is shown as paired',
    'forensic',
    'fail fail disclosure_missing withheld_in_range',
    (f) => withhold(f, ['parted', 'other'], (type) => type === 'movement.parted'),
  ],
  [
    "A rule's pairing is turned into a person's",
    'forensic',
    'fail fail disclosure_differs disclosure_missing withheld_in_range',
    (f) =>
      editActivity(f, (record) => {
        if (isPairing(record.type)) {
          record.data = record.data?.replace('"by":"rule"', '"by":"person"') ?? null;
        }
      }),
  ],
  [
    'The export is said to have begun before a pairing',
    'forensic',
    'fail unproven activity_unrecorded custody_differs',
    (f) => {
      let first = 0;
      editActivity(f, (record) => {
        if (isPairing(record.type) && first === 0) first = record.seq;
      });
      leaveOut(f, 'booking', 'repeat', 'paid');
      withhold(f, ['charge', 'sale', 'parted', 'other'], isPairing);
      asRecorded(f, 'charge', 'sale', 'parted', 'other');
      f.manifest.activity = { ...f.manifest.activity, since: first - 1 };
    },
  ],
  [
    'A link of a witness of another month, to a decision of it, is left out',
    'forensic',
    'pass fail withheld_in_range',
    (f) => leaveOut(f, 'lateLink'),
  ],
  [
    'A link of a witness is left out of the file alone',
    'forensic',
    'pass fail link_missing',
    (f) => editRecords(f, 'links.json', (rows) => rows.filter(({ id }) => id !== ids.lateLink)),
  ],
  [
    'The witness of a linked event is a hash',
    'filtered',
    'fail unproven unproven movement_differs',
    (f) => hideEvent(f, 'repeat'),
  ],
  [
    'The witness is a hash, and so are all pairings',
    'filtered',
    'pass unproven unproven',
    (f) => {
      hideEvent(f, 'repeat');
      hide(f, ['sale'], isPairing);
      asRecorded(f, 'sale');
    },
  ],
  [
    'The pairing of the linked event is a hash',
    'filtered',
    'fail unproven fail movement_differs record_unchosen',
    (f) => {
      hide(f, ['sale'], isPairing);
      asRecorded(f, 'sale');
    },
  ],
  [
    'The data of a pairing are withheld',
    'filtered',
    'fail fail fail disclosure_missing movement_differs withheld_in_range record_unchosen',
    (f) => withhold(f, ['repeat'], isPairing),
  ],
  [
    'A row names a witness',
    'alpha',
    'fail unproven movement_differs row_event row_link row_share',
    (f) =>
      inStatement(f, [
        [ids.sale, ids.repeat],
        ['2027-01-30T15:00:00.000Z', '2027-01-31T00:00:00.000Z'],
      ]),
  ],
  [
    'A row has the amount of a witness',
    'alpha',
    'fail unproven row_event',
    (f) => inStatement(f, [['"70.00"', '"68.00"']]),
  ],
  [
    'A row counts the tax that a witness states',
    'alpha',
    'fail unproven row_amount',
    (f) => inStatement(f, GROSS),
  ],
  [
    'The witness that states the tax is withheld, and a row counts it',
    'alpha',
    'fail unproven movement_differs row_share',
    (f) => {
      withhold(f, ['repeat']);
      inStatement(f, GROSS);
    },
  ],
  [
    'The tax that a witness states is altered, and a row counts it so',
    'alpha',
    'fail unproven disclosure_differs movement_differs row_share',
    (f) => {
      editActivity(f, (record) => {
        record.data = record.data?.replace('"untaxed":"68.00"', '"untaxed":"70.00"') ?? null;
      });
      inStatement(f, GROSS);
    },
  ],
  [
    'The links of a witness are withheld, and a row takes their share',
    'alpha',
    'pass fail withheld_in_range',
    (f) => {
      withhold(f, ['linkOfRepeat', 'lateLink']);
      inStatement(f, DOUBLED);
    },
  ],
  [
    'The link of the report that leads is withheld, and a row takes its share',
    'beta',
    'pass fail withheld_in_range',
    (f) => {
      withhold(f, ['linkOfSale']);
      inStatement(f, [
        ['"share":"0.250000000000"', '"share":"0.500000000000"'],
        ['"17.000000000000"', '"34.000000000000"'],
        ['"converted_amount":"17"', '"converted_amount":"34"'],
        ['"17.00"', '"34.00"'],
      ]);
    },
  ],
  [
    'A pairing is withheld',
    'alpha',
    'fail unproven movement_differs row_event row_share',
    (f) => withhold(f, ['sale', 'repeat'], isPairing),
  ],
  [
    'The pairing of a witness is withheld',
    'alpha',
    'fail unproven movement_differs row_amount row_share',
    (f) => withhold(f, ['repeat'], isPairing),
  ],
  [
    'A row is left out with all that is disclosed of its movement',
    'beta',
    'pass unproven',
    (f) => {
      withhold(f, ['sale', 'repeat', 'linkOfSale', 'linkOfRepeat']);
      dropMoney(f);
    },
  ],
  ['A row is left out', 'beta', 'pass fail row_missing', (f) => dropMoney(f)],
  [
    'A row has a share that the links of a witness do not leave',
    'alpha',
    'fail unproven row_share',
    (f) => inStatement(f, DOUBLED),
  ],
  [
    'The payment of a refund is left out',
    'forensic',
    'pass fail inheritance_differs',
    (f) => leaveOut(f, 'paid'),
  ],
  [
    'The payment of a refund is left out with its links',
    'forensic',
    'pass fail withheld_in_range inheritance_differs',
    (f) => leaveOut(f, 'paid', 'linkOfPaid', 'lateOfPaid'),
  ],
  [
    'A link of the payment is left out',
    'forensic',
    'pass fail inheritance_differs withheld_in_range',
    (f) => leaveOut(f, 'lateOfPaid'),
  ],
  [
    'A link of the payment, and what the refund takes of it, are left out',
    'forensic',
    'pass fail withheld_in_range',
    (f) => leaveOut(f, 'lateOfPaid', 'lateTaken'),
  ],
  [
    'A link that the refund takes is left out',
    'forensic',
    'pass fail withheld_in_range inheritance_differs',
    (f) => leaveOut(f, 'taken'),
  ],
  [
    'A refund takes another share than the payment has',
    'forensic',
    'fail fail disclosure_differs disclosure_missing withheld_in_range inheritance_differs',
    (f) =>
      editActivity(f, (record) => {
        if (record.type !== 'link.inherited') return;
        record.data = record.data?.replace('0.25', '0.75') ?? null;
      }),
  ],
  [
    'The payment of a refund is withheld with its links',
    'gamma',
    'pass fail inheritance_differs withheld_in_range',
    (f) => withhold(f, ['paid', 'linkOfPaid', 'lateOfPaid']),
  ],
  [
    'A link of the payment is withheld',
    'gamma',
    'pass fail inheritance_differs withheld_in_range',
    (f) => withhold(f, ['lateOfPaid']),
  ],
  [
    'A link of the payment is withheld, and what the refund takes of it',
    'gamma',
    'pass fail withheld_in_range',
    (f) => withhold(f, ['lateOfPaid', 'lateTaken']),
  ],
  [
    'What a refund takes is left out of the file',
    'chosen',
    'pass fail fail link_missing record_unchosen',
    (f) => editRecords(f, 'links.json', (rows) => rows.filter(({ id }) => id !== ids.taken)),
  ],
  [
    'The link of the payment is a hash',
    'chosen',
    'pass unproven fail record_unchosen',
    (f) => hideLink(f, 'linkOfPaid'),
  ],
  [
    'The payment and its link are hashes',
    'chosen',
    'pass unproven unproven',
    (f) => {
      hideLink(f, 'linkOfPaid');
      hideEvent(f, 'paid');
    },
  ],
  [
    'What a refund takes is a hash, and the refund is shown',
    'chosen',
    'pass unproven fail record_unchosen',
    (f) => hideLink(f, 'taken'),
  ],
];

/** Leaves a link out of a filtered bundle, with all records about it. */
function hideLink(forgery: Forgery, name: Named): void {
  editRecords(forgery, 'links.json', (rows) => rows.filter(({ id }) => id !== ids[name]));
  hide(forgery, [name]);
}

/** Leaves an event out of a filtered bundle, with all records about it. */
function hideEvent(forgery: Forgery, name: Named): void {
  editRecords(forgery, 'events.json', (rows) => rows.filter(({ id }) => id !== ids[name]));
  hide(forgery, [name]);
}

/** Leaves the rows of money out of a statement. */
function dropMoney(forgery: Forgery): void {
  const lines = (forgery.files.get('statement.json') ?? '').split('\n');
  const kept = lines.filter((line) => !line.startsWith('{"row":"money"'));
  forgery.files.set('statement.json', kept.join('\n').replaceAll('"17.00"', '"0.00"'));
}

/** Records that the operator lets the service chain, instead of what happened. */
interface Told {
  readonly subject: Named;
  readonly type?: 'movement.paired' | 'movement.parted';
  readonly actor?: string;
  readonly reports: readonly Named[];
  readonly lead: Named;
  /** Whose times it states. */
  readonly others: readonly Named[];
  readonly because?: { readonly [name: string]: JsonValue };
}

const TIMES: Readonly<Record<string, string>> = {
  parted: '2027-01-12T12:00:00.000Z',
  other: '2027-01-13T00:00:00.000Z',
  strange: '2027-02-05T00:00:00.000Z',
};

/** A new ledger with these events, which nobody pairs. */
async function unpaired() {
  const { client, scope } = await januaryLedger(bed);
  const ids: Record<string, string> = {};
  for (const [name, timestamp] of Object.entries(TIMES)) {
    ids[name] = (await recordEvent(client, { source: name, amount: '55.00', timestamp })).id;
  }
  return { client, scope, ids };
}

function recordOf(one: Readonly<Record<string, string>>, told: Told): ActivityChange {
  const { subject, type = 'movement.paired', actor = 'key_of_a_person', because } = told;
  const timeOf = (name: Named) => TIMES[name] ?? '';
  return {
    ...{ type, actor, subject: one[subject] ?? '' },
    when: { event: timeOf(subject), others: told.others.map(timeOf) },
    data: {
      reports: told.reports.map((name) => one[name] ?? '').sort(),
      lead: one[told.lead] ?? '',
      ...(because ?? { by: 'person' }),
    },
  };
}

/** A pair of what a person parted, told of both. */
const pairOf = (fields: Partial<Told>, both: Partial<Told> = {}): readonly Told[] => {
  const known = { reports: ['parted', 'other'], lead: 'parted' } as const;
  return [
    { ...known, subject: 'parted', others: ['other'], ...both, ...fields },
    { ...known, subject: 'other', others: ['parted'], ...both },
  ];
};

const RULE = { by: 'rule', rule: 'repeated_in_books' };
const TOLD: readonly (readonly [about: string, verdicts: string, told: readonly Told[]])[] = [
  ['The true one', '', pairOf({})],
  ['Another report leads', 'movement_differs', pairOf({}, { lead: 'other' })],
  ['The two name different leads', 'movement_differs', pairOf({ lead: 'other' })],
  ['One of the two says nothing', 'movement_differs', pairOf({}).slice(0, 1)],
  ['A lead that is not of the movement', 'movement_differs', pairOf({}, { lead: 'strange' })],
  [
    'A movement without its own event',
    'movement_differs',
    pairOf({ reports: ['other'], lead: 'other' }),
  ],
  ['Times of other events', 'when_differs', pairOf({ others: ['strange'] })],
  ['More times than events', 'when_differs', pairOf({ others: ['other', 'strange'] })],
  ['The engine, as a person', 'movement_differs', pairOf({}, { actor: 'engine' })],
  ['A person, as a rule', 'movement_differs', pairOf({}, { because: RULE })],
  ['Nobody knows what', 'movement_differs', pairOf({}, { because: { by: 'chance' } })],
  ['A parting that parts nothing', 'movement_differs', pairOf({}, { type: 'movement.parted' })],
  [
    'A pairing that pairs nothing',
    'movement_differs',
    pairOf({}).concat([
      { subject: 'parted', reports: ['parted'], lead: 'parted', others: ['other'] },
      { subject: 'other', reports: ['other'], lead: 'other', others: ['parted'] },
    ]),
  ],
  [
    'A rule with a partner of another movement',
    'movement_differs',
    pairOf({ actor: 'engine', because: { ...RULE, with: 'strange' } }),
  ],
  [
    'A rule that compared other times',
    'movement_differs',
    pairOf({
      actor: 'engine',
      because: {
        ...{ ...RULE, with: 'other' },
        compared: { amount: '55', currency: 'USD', seconds_apart: '60' },
      },
    }),
  ],
  [
    'A rule that compared other amounts',
    'movement_differs',
    pairOf({
      actor: 'engine',
      because: {
        ...{ ...RULE, with: 'other' },
        compared: { amount: '56', currency: 'USD', seconds_apart: '43200' },
      },
    }),
  ],
  [
    'A rule that compared what both state',
    '',
    pairOf({
      actor: 'engine',
      because: {
        ...{ ...RULE, with: 'other' },
        compared: { amount: '55', currency: 'USD', seconds_apart: '43200' },
      },
    }),
  ],
  [
    'A rule that compared an amount that one of them has not',
    'movement_differs',
    pairOf({
      actor: 'engine',
      because: {
        ...{ ...RULE, with: 'other' },
        compared: {
          ...{ amount: '55', currency: 'USD', other_amount: '54', other_currency: 'USD' },
          seconds_apart: '43200',
        },
      },
    }),
  ],
  [
    'A movement of an event that is of two',
    'movement_differs',
    pairOf({}).concat([
      { subject: 'strange', reports: ['other', 'strange'], lead: 'other', others: ['other'] },
    ]),
  ],
];

describe('Movements that the operator lets the service record', () => {
  it.each(TOLD)('%s is found as "%s"', async (_about, verdicts, told) => {
    const { client, scope, ids: own } = await unpaired();
    const named = (because: Told['because']) =>
      typeof because?.with !== 'string' ? because : { ...because, with: own[because.with] ?? '' };
    const records = told.map((one) => {
      const because = named(one.because);
      return recordOf(own, { ...one, ...(because !== undefined && { because }) });
    });
    await bed.service.db.ledger(scope).write((tx) => recordActivities(tx, records));
    const { export_id } = await askFor(client, JANUARY);
    await make(bed, client, export_id, { reconcile: () => Promise.resolve(NOTHING_FOUND) });
    const { verdicts: found } = await check(await download(bed, client, export_id));
    const codes = [...found.integrity.findings, ...found.completeness.findings]
      .map(({ code }) => code)
      .filter((code) => !ALONE.includes(code));
    expect([...new Set(codes)].join(' ')).toBe(verdicts);
  });
});

describe('Inherited links that the operator lets the service record', () => {
  /** A refund that takes half of one decision from its payment. */
  async function refunded() {
    const { client, scope } = await januaryLedger(bed);
    const dated = { timestamp: '2027-01-10T10:00:00.000Z' };
    const [own, other] = [await decide(client, dated), await decide(client, dated)];
    const shop = { source: 'shop', timestamp: TIMES.parted };
    const paid = await recordEvent(client, { ...shop, external_id: 'P-1' });
    const fields = { event_type: 'refund', amount: '-9.00', metadata: { reverses: 'P-1' } };
    const repaid = await recordEvent(client, { ...shop, ...fields });
    const stranger = await recordEvent(client, { ...shop, external_id: 'P-2' });
    for (const { id } of [paid, stranger]) {
      await client.post('/links', link(own.decision_id, id, { correlation_strength: 0.5 }));
    }
    await followLogs(bed.service, [scope.ledgerId]);
    const { links } = dataOf(await client.get(`/links?financial_event_id=${repaid.id}`), LinkPage);
    const made = links[0];
    if (made === undefined) throw new Error('nothing was inherited');
    const ids = { repaid: repaid.id, stranger: stranger.id };
    return { client, scope, made, other: other.decision_id, ...ids };
  }
  type Refunded = Awaited<ReturnType<typeof refunded>>;

  // The row of another decision contradicts the chain: then nothing is only unproven.
  type Lie = (of: Refunded) => { readonly [name: string]: JsonValue };
  it.each<readonly [about: string, due: string, filtered: string, change: Lie]>([
    ['The true one', '', '', () => ({})],
    [
      'Another share',
      'inheritance_differs',
      'inheritance_differs',
      () => ({ correlation_strength: 0.75 }),
    ],
    ['Another label', 'inheritance_differs', '', () => ({ label: 'matched' })],
    ['Another decision', 'inheritance_differs', '', ({ other }) => ({ decision_id: other })],
    [
      'Its own event as the payment',
      'inheritance_differs',
      'inheritance_differs',
      ({ repaid }) => ({ inherited_from: repaid }),
    ],
    [
      'Another payment with the same links',
      'inheritance_differs',
      'inheritance_differs',
      ({ stranger }) => ({ inherited_from: stranger }),
    ],
  ])('%s is found as "%s", and by a filter as "%s"', async (_about, due, filtered, change) => {
    const told = await refunded();
    const { client, scope, made, repaid } = told;
    const { correlation_strength, link_type, decision_id, reversal } = made;
    const record: ActivityChange = {
      ...{ type: 'link.inherited', actor: 'engine', subject: made.id },
      when: { event: TIMES.parted ?? '', decision: await timeOfDecision(client, decision_id) },
      data: {
        ...{ decision_id, financial_event_id: repaid, correlation_strength, link_type, reversal },
        ...{ status: 'INHERITED', label: 'confirmed', inherited_from: made.inherited_from ?? '' },
        ...change(told),
      },
    };
    await bed.service.db.ledger(scope).write((tx) => recordActivities(tx, [record]));
    const found = async (fields: object) => {
      const { export_id } = await askFor(client, { ...JANUARY, ...fields });
      await make(bed, client, export_id, { reconcile: () => Promise.resolve(NOTHING_FOUND) });
      const { verdicts } = await check(await download(bed, client, export_id));
      const codes = verdicts.completeness.findings.map(({ code }) => code);
      return codes.filter((code) => code.startsWith('inheritance_')).join(' ');
    };
    expect([await found({}), await found({ filter: { min_confidence: 0 } })]).toEqual([
      due,
      filtered,
    ]);
  });

  it('A bundle shows what a refund reverses, whenever that happened and whether it is linked', async () => {
    const { client } = await januaryLedger(bed);
    const { decision_id } = await decide(client, {});
    const shop = { source: 'shop', event_type: 'payment', timestamp: '2026-12-20T12:00:00.000Z' };
    const paid = await recordEvent(client, { ...shop, external_id: 'P-1' });
    const refund = { ...shop, event_type: 'refund', amount: '-9.00', timestamp: TIMES.parted };
    const repaid = await recordEvent(client, { ...refund, metadata: { reverses: 'P-1' } });
    await client.post('/links', link(decision_id, repaid.id));
    const bundle = await bundleOf(bed, client, JANUARY);
    expect(textOf(bundle, 'events.json')).toContain(paid.id);
    const codesOf = async (one: Downloaded) =>
      (await check(one)).verdicts.completeness.findings
        .map(({ code }) => code)
        .filter((code) => !ALONE.includes(code));
    expect(await codesOf(bundle)).toEqual([]);
    await recordEvent(client, { ...refund, metadata: { reverses: 'P-404' } });
    await recordEvent(client, { ...shop, external_id: 'P-2' });
    expect(await codesOf(await bundleOf(bed, client, JANUARY))).toEqual(['inheritance_unproven']);
  });
});

async function timeOfDecision(client: Client, id: string): Promise<string> {
  return dataOf(await client.get(`/decisions/${id}`), Decision).timestamp;
}

/** What every bundle leaves unproven that proves nothing beyond itself. */
const ALONE: readonly string[] = ['edges_unproven', 'log_unwitnessed'];

describe('Forged movements', () => {
  it.each([
    ['forensic', 'pass pass'],
    ['filtered', 'pass unproven unproven'],
    ['chosen', 'pass unproven unproven'],
    ['alpha', 'pass unproven'],
    ['beta', 'pass unproven'],
    ['gamma', 'pass unproven'],
  ] as const)('The honest bundle %s gets the verdicts %s', async (kind, verdicts) => {
    expect(await read(honest(kind).archive, kind)).toBe(verdicts);
  });

  it.each(ATTACKS)('%s (%s): %s', async (_about, kind, verdicts, forge) => {
    expect(await forged(kind, forge)).toBe(verdicts);
  });

  it('A bundle that shows the records contradicts one that has them as hashes, before or after', async () => {
    const forgery = forgeryOf(honest('filtered'));
    hideEvent(forgery, 'repeat');
    hide(forgery, ['sale'], isPairing);
    asRecorded(forgery, 'sale');
    const hidden = await seal(bed, story.scope, forgery);
    const whole = honest('forensic').archive;
    expect(await read(hidden, 'filtered', whole)).toBe('pass unproven fail previous_contradicts');
    expect(await read(honest('filtered').archive, 'filtered', hidden)).toBe(
      'pass fail unproven previous_omits',
    );
    expect(await read(honest('filtered').archive, 'filtered', whole)).toBe(
      'pass unproven unproven',
    );
  });
});
