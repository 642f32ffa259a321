import { Link } from '@decision-ledger/contract/link';
import { verifyBundle } from '@decision-ledger/verifier/verify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runExport } from '#server/domains/evidence/exports/run';
import { idToUuid } from '#server/platform/ids';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf } from '../support/client.js';
import { decide } from '../support/estimates.js';
import {
  askFor,
  bundleOf,
  type Downloaded,
  download,
  type ExportFields,
  fingerprintOf,
  make,
  readExport,
  runTools,
  textOf,
} from '../support/exports.js';
import { link, recordEvent } from '../support/money.js';
import { databaseWith } from '../support/own-database.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { withOwner } from '../support/stored-jobs.js';
import { NOTHING_FOUND } from './support/attacks.js';
import { setTime } from './support/rewrite.js';

const JANUARY = { start_date: '2027-01-01', end_date: '2027-01-31' };
const AGENT = 'claims';

let bed: TestService;
let client: Client;
let scope: Scope;
/** Of the events and links of two months. */
let january: Money;
let february: Money;

interface Money {
  readonly event: string;
  readonly link: string;
}

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  client = (await bed.organisation()).live;
  await client.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
  scope = await scopeOf(bed, client);
  january = await earn('2027-01-10');
  february = await earn('2027-02-10');
  await setTime(bed, scope, '2027-03-10T08:00:00Z');
});
afterAll(() => bed.close());

/** A decision with an event of the same day. */
async function earn(day: string): Promise<Money> {
  await setTime(bed, scope, `${day}T08:00:00Z`);
  const { decision_id } = await decide(client, { agent_id: AGENT });
  const { id } = await recordEvent(client, { timestamp: `${day}T09:00:00.000Z` });
  const body = link(decision_id, id);
  const made = dataOf(await client.post('/links', body), Link, 201);
  return { event: id, link: made.id };
}

/** Past foreign keys, as the owner of the database can. */
const tamper = (statement: string) =>
  withOwner(bed, async (owner) => {
    await owner.query(`begin; set local session_replication_role = replica; ${statement}; commit`);
  });
const eventRow = ({ event }: Money) => `event_id = '${idToUuid('evt', event)}'`;
const linkRow = (money: Money) => `link_id = '${idToUuid('lnk', money.link)}'`;

/** Completeness, for an auditor who kept the checkpoint of the activity when the bundle was made. */
async function completenessOf({ archive, files }: Pick<Downloaded, 'archive' | 'files'>) {
  const source = {
    size: archive.length,
    read: async (offset: number, length: number) => archive.subarray(offset, offset + length),
  };
  const { verdicts } = await verifyBundle(source, {
    keyFingerprint: await fingerprintOf(client),
    checkpoint: textOf({ files }, 'activity.checkpoint'),
  });
  return verdicts.completeness;
}

/** Why an export fails whose comparison of all tables is blind. */
async function reasonOf(fields: ExportFields): Promise<string> {
  const { export_id } = await askFor(client, { ...JANUARY, ...fields });
  const { tools } = runTools(bed, { reconcile: () => Promise.resolve(NOTHING_FOUND) });
  await runExport(tools.db.ledger(scope), tools, export_id, new AbortController().signal);
  const { status, reason = '' } = await readExport(client, export_id);
  expect(status).toBe('failed');
  return reason ?? '';
}

describe('What an export discloses', () => {
  it('The times of all other events and links prove that nothing of the range is withheld', async () => {
    const { archive, files } = await bundleOf(bed, client, JANUARY);
    const activity = textOf({ files }, 'activity.ndjson').split('\n');
    expect(activity.filter((line) => line.includes('","when",{'))).toHaveLength(4);
    expect(activity.filter((line) => line.includes('"financial_event_id"'))).toHaveLength(1);
    const completeness = await completenessOf({ archive, files });
    expect(completeness).toMatchObject({ verdict: 'pass', findings: [] });
    expect(completeness.sentence).toContain('2 changes of events or links are withheld');
  });

  it.each<[string, () => [statement: string, subject: string, place: string]]>([
    [
      'An event that was deleted',
      () => [`delete from financial_events where ${eventRow(january)}`, january.event, 'in'],
    ],
    [
      'An event that was moved out of the range',
      () => [
        `update financial_events set "timestamp" = '2026-12-31' where ${eventRow(january)}`,
        ...([january.event, 'in'] as const),
      ],
    ],
    [
      'An event that was moved into the range',
      () => [
        `update financial_events set "timestamp" = '2027-01-02' where ${eventRow(february)}`,
        ...([february.event, 'outside of'] as const),
      ],
    ],
    [
      'A link that was deleted',
      () => [`delete from links where ${linkRow(january)}`, january.link, 'in'],
    ],
    [
      'A link that was given another event and decision',
      () => [
        `update links set link_type = 'cost', (event_id, decision_id) = (
          select l.event_id, l.decision_id from links l
          where l.${linkRow(february)}) where ${linkRow(january)}`,
        ...([january.link, 'in'] as const),
      ],
    ],
  ])('%s behind the back of the service makes the export fail', async (_name, change) => {
    const [statement, subject, place] = change();
    await tamper(statement);
    expect(await reasonOf({})).toContain(
      `${subject} is ${place} the range according to its records`,
    );
  });

  it('A link that was made during the export, to a decision made then, does not make it fail', async () => {
    const { event: id } = february;
    const { db } = bed.service;
    let isMade = false;
    /** Before the entries of the run are copied, after the extent of the export was fixed. */
    const query: typeof db.query = async (statement) => {
      if (!isMade && statement.text.includes('select seq, entry from decisions')) {
        isMade = true;
        const timestamp = '2026-04-10T00:00:00.000Z';
        const { decision_id } = await decide(client, { agent_id: AGENT, timestamp });
        await client.post('/links', link(decision_id, id, { link_type: 'saving' }));
      }
      return db.query(statement);
    };
    const april = { start_date: '2026-04-01', end_date: '2026-04-30' };
    const { export_id } = await askFor(client, april);
    await make(bed, client, export_id, { db: databaseWith(db, { query }) });
    const bundle = await download(bed, client, export_id);
    expect(isMade).toBe(true);
    const { verdict, findings } = await completenessOf(bundle);
    expect({ verdict, codes: findings.map(({ code }) => code) }).toEqual({
      ...{ verdict: 'unproven', codes: ['data_withheld'] },
    });
  });

  it('A statement fails if the row of a link is gone', async () => {
    await tamper(`delete from links where ${linkRow(january)}`);
    const fields = { export_type: 'statement', agent_id: AGENT };
    expect(await reasonOf(fields)).toContain(`${january.link} is recorded`);
  });
});

const TYPES: readonly ExportFields[] = [
  { export_type: 'forensic' },
  { export_type: 'compliance' },
  { export_type: 'insurance' },
  { export_type: 'statement', agent_id: AGENT },
];

describe('What somebody changed in the tables', () => {
  /** Why an export fails, with all that runs before one. */
  async function refusalOf(fields: ExportFields): Promise<string> {
    const { export_id } = await askFor(client, { ...JANUARY, ...fields });
    await runExport(
      runTools(bed).tools.db.ledger(scope),
      runTools(bed).tools,
      export_id,
      new AbortController().signal,
    );
    const { status, reason } = await readExport(client, export_id);
    expect(status).toBe('failed');
    return reason ?? '';
  }

  it.each<[string, () => [statement: string, finding: string]]>([
    [
      'An event that was deleted with its link',
      () => [
        `delete from link_allocations where ${linkRow(january)}; delete from link_reviews
          where ${linkRow(january)}; delete from links where ${linkRow(january)};
          delete from financial_events where ${eventRow(january)}`,
        `missing_row: financial_events ${january.event}`,
      ],
    ],
    [
      'A link that was deleted',
      () => [
        `delete from link_allocations where ${linkRow(january)}; delete from link_reviews
          where ${linkRow(january)}; delete from links where ${linkRow(january)}`,
        `missing_row: links ${january.link}`,
      ],
    ],
    [
      'An event whose time was moved out of the range',
      () => [
        `update financial_events set "timestamp" = '2026-12-31' where ${eventRow(january)};
          update link_allocations set "timestamp" = '2026-12-31' where ${eventRow(january)}`,
        `changed_row: financial_events ${january.event} timestamp`,
      ],
    ],
    [
      'An event that was inserted',
      () => [
        `insert into financial_events select (jsonb_populate_record(e, jsonb_build_object(
          'event_id', gen_random_uuid(), 'origin', 'forged'))).* from financial_events e
          where ${eventRow(january)}`,
        'unexpected_row: financial_events evt_',
      ],
    ],
  ])(
    '%s makes an export of each type fail, and the reason names the row',
    async (_name, change) => {
      const [statement, finding] = change();
      await tamper(statement);
      for (const fields of TYPES) {
        const reason = await refusalOf(fields);
        const row = finding.replace(/^\w+: \w+ /, '');
        expect(reason, fields.export_type).toContain(row.replace(/ timestamp$/, ''));
        if (!reason.includes('according to its records')) expect(reason).toContain(finding);
      }
    },
  );
});
