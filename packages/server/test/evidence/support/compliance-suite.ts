import { canonicalJson } from '@decision-ledger/proof/canonical';
import { commitmentOf, disclosureText } from '@decision-ledger/proof/commitment';
import { decisionEntry } from '@decision-ledger/proof/entry';
import { leafHash } from '@decision-ledger/proof/hash';
import { type Static, Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { VerifiedRun } from '#server/domains/evidence/exports/export-run';
import { compliance } from '#server/domains/evidence/exports/kinds/compliance';
import type { BundlePart } from '#server/domains/evidence/exports/parts/part';
import { decision } from '../../support/client.js';
import {
  type Engine,
  type Organisation,
  openTestService,
  type TestService,
} from '../../support/service.js';
import { withOwner } from '../../support/stored-jobs.js';
import { drain, drainBrokenOff, piecesOf, verifiedRun, within } from './drain.js';
import { readCsv } from './read-csv.js';

const Json = Type.Unsafe<null>(Type.Unknown());
const Name = Type.Enum(['inputs', 'outputs', 'alternatives', 'metadata']);
const OptionalText = Type.Union([Type.String(), Type.Null()]);
const Texts = Type.Record(Name, Type.Optional(Type.String()));
const Closed = { additionalProperties: false };

const Article12Record = Type.Object(
  {
    decision_id: Type.String(),
    agent_id: Type.String(),
    action_type: Type.String(),
    timestamp: Type.String(),
    created_at: Type.String(),
    period_of_use: Type.Object({ start: OptionalText, end: OptionalText }, Closed),
    inputs: Json,
    outputs: Json,
    confidence: Type.Number(),
    alternatives: Json,
    verifier: Type.Object(
      { human_in_loop: Type.Boolean(), reviewer_id: Json, verifiers: Json },
      Closed,
    ),
    biometric_search: Type.Object({ reference_database: Json, matched_input: Json }, Closed),
    metadata: Json,
    erased_fields: Type.Array(Name),
    unreadable_fields: Type.Optional(Type.Array(Name)),
    tamper_evidence: Type.Object(
      {
        seq: Type.Integer(),
        epoch: Type.Integer(),
        hash: Type.String(),
        prev_hash: Type.String(),
        salts: Texts,
        commitments: Texts,
      },
      Closed,
    ),
  },
  Closed,
);
type Article12Record = Static<typeof Article12Record>;

const Article12File = Type.Object(
  {
    format: Type.Literal('decision-ledger/article12/v1'),
    description: Type.String(),
    ledger: Type.String(),
    range: Type.Object({ start: Type.String(), end: Type.String() }, Closed),
    records: Type.Array(Article12Record),
  },
  Closed,
);

/** The check of an auditor: fields against their commitments, and those against the hash. */
function verifyRecord(ledger: string, record: Article12Record): void {
  const { tamper_evidence: evidence, timestamp, created_at, confidence } = record;
  const { decision_id, agent_id, action_type, verifier } = record;
  const { seq, epoch, prev_hash, commitments, salts, hash } = evidence;
  for (const [name, salt] of Object.entries(salts)) {
    if (!isField(name) || salt === undefined) throw new Error(name);
    const disclosure = disclosureText(salt, name, canonicalJson(record[name]));
    expect(commitmentOf(disclosure)).toBe(commitments[name]);
  }
  const named = [...Object.keys(salts), ...record.erased_fields].sort();
  expect(named).toEqual(Object.keys(commitments).sort());
  const entry = decisionEntry({
    ...{ ledger, epoch, seq, prev_hash, decision_id, agent_id, action_type, confidence },
    ...{ human_in_loop: verifier.human_in_loop, timestamp, created_at },
    commitments: { ...commitments },
  });
  expect(leafHash(entry)).toBe(hash);
}

function isField(name: string): name is 'inputs' | 'outputs' | 'alternatives' | 'metadata' {
  return ['inputs', 'outputs', 'alternatives', 'metadata'].includes(name);
}

const DAY = '2026-04-10T12:00:00.000Z';

/** Decisions of all kinds, out of order, two outside the range. */
const DECISIONS = [
  decision({ timestamp: '2026-04-11T00:00:00.000Z', metadata: { reviewer_id: 'rev-7' } }),
  decision({ timestamp: DAY, human_in_loop: true, alternatives: [{ deny: 0.2 }, {}] }),
  decision({ timestamp: DAY, inputs: { '10': 1, '9': 2, __proto__x: '\u2028"\\' } }),
  decision({ timestamp: '2026-05-01T00:00:00.000Z'.replace('-05-', '-03-') }),
  decision({ timestamp: '2026-04-09T00:00:00.000Z', agent_id: '=cmd', action_type: '-1+1' }),
  decision({
    timestamp: '2026-04-12T00:00:00.000Z',
    human_in_loop: true,
    metadata: {
      use_start: '2026-04-12T08:00:00Z',
      use_end: '2026-04-12T08:05:00+02:00',
      reference_database: 'watch list 7',
      matched_input: { frame: 12 },
      verifiers: ['@anna', 'ben'],
    },
  }),
  decision({
    timestamp: '2026-04-13T00:00:00.000Z',
    metadata: { use_start: 'yesterday', reference_database: ' ', verifiers: [], reviewer_id: 5 },
  }),
  decision({ timestamp: '2026-04-15T00:00:00.000Z' }),
];

/** The files that are built record by record. */
const MADE_OF_RECORDS = ['article12.json', 'article12.csv', 'completeness.json'] as const;

const RANGE = { start: Date.UTC(2026, 3, 9), end: Date.UTC(2026, 3, 15) };

export function complianceSuite(engine: Engine): void {
  let bed: TestService;
  let org: Organisation;
  let run: VerifiedRun;

  beforeAll(async () => {
    bed = await openTestService(engine);
  });
  afterAll(() => bed.close());
  beforeEach(async () => {
    org = await bed.organisation();
    const answer = await org.live.post('/decisions/batch', { decisions: DECISIONS });
    expect(answer.status, answer.text).toBe(201);
    await org.test.post('/decisions', decision({ timestamp: DAY }));
    run = await verifiedRun(bed, org.live, RANGE);
  });

  const part = (name: (typeof MADE_OF_RECORDS)[number], of = run): BundlePart =>
    compliance.files[name].make(of);
  const readFile = async (of = run) => {
    const text = await drain(part('article12.json', of));
    return { text, ...Parse(Article12File, JSON.parse(text)) };
  };
  const readCompleteness = async (of = run) =>
    JSON.parse(await drain(part('completeness.json', of)));

  it('A decision from centuries ago is recorded once', async () => {
    const timestamp = '1710-06-01T12:00:00.127Z';
    await org.live.post('/decisions', decision({ timestamp }));
    const range = { start: Date.parse(timestamp), end: Date.parse(timestamp) + 1 };
    for (const name of MADE_OF_RECORDS) {
      let records = 0;
      for await (const piece of part(name, within(run, range)).pieces(null)) {
        records += piece.records;
        expect(records).toBeLessThan(2);
      }
      expect(records).toBe(1);
    }
  });

  describe('article12.json', () => {
    it('`article12.json` lists the decisions of its range by time, then by seq, one per line', async () => {
      const { text, records, range } = await readFile();
      expect(range).toEqual({ start: '2026-04-09T00:00:00.000Z', end: '2026-04-15T00:00:00.000Z' });
      expect(records.map(({ tamper_evidence }) => tamper_evidence.seq)).toEqual([5, 2, 3, 1, 6, 7]);
      const lines = text.split('\n').slice(1, -2);
      expect(lines.map((line) => JSON.parse(line.replace(/,$/, '')))).toEqual(records);
    });

    it('`article12.json` holds everything that the hash of each record covers', async () => {
      const { ledger, records } = await readFile();
      for (const record of records) verifyRecord(ledger, record);
      expect(records.flatMap(({ erased_fields }) => erased_fields)).toEqual([]);
    });

    it('`article12.json` holds what Article 12(3) requires if the metadata has it, else null', async () => {
      const { records } = await readFile();
      const [none, , , reviewed, full, odd] = records;
      expect(full).toMatchObject({
        period_of_use: { start: '2026-04-12T08:00:00Z', end: '2026-04-12T08:05:00+02:00' },
        verifier: { human_in_loop: true, reviewer_id: null, verifiers: ['@anna', 'ben'] },
        biometric_search: { reference_database: 'watch list 7', matched_input: { frame: 12 } },
      });
      const nothing = { reference_database: null, matched_input: null };
      expect(none).toMatchObject({
        period_of_use: { start: null, end: null },
        verifier: { human_in_loop: false, reviewer_id: null, verifiers: null },
        biometric_search: nothing,
      });
      expect(reviewed?.verifier).toMatchObject({ reviewer_id: 'rev-7', verifiers: ['rev-7'] });
      expect(odd).toMatchObject({
        period_of_use: { start: null, end: null },
        verifier: { verifiers: [5] },
        biometric_search: nothing,
      });
    });

    it('`article12.json` ends with the last decision of the bundle', async () => {
      const { records } = await readFile(within(run, { lastSeq: 5 }));
      expect(records.map(({ tamper_evidence }) => tamper_evidence.seq)).toEqual([5, 2, 3, 1]);
    });

    it('`article12.json` is written for a range without decisions', async () => {
      const range = { start: 0, end: 1 };
      expect((await readFile(within(run, range))).records).toEqual([]);
      expect(await drainBrokenOff(part('article12.json', within(run, range)))).toMatch(
        /\[\n\]}\n$/,
      );
    });

    it('`article12.json` names erased fields and unreadable ones', async () => {
      await withOwner(bed, async (client) => {
        const set = (change: string, seq: number) =>
          client.query(`update decisions set ${change} where ledger_id = $1 and seq = $2`, [
            run.ledger.ledgerId,
            seq,
          ]);
        await set('inputs = null, metadata = null', 6);
        await set(`outputs = 'no disclosure'`, 3);
        await set(`outputs = outputs || ']', entry = 'no entry'`, 2);
      });
      const { ledger, records } = await readFile();
      const [, unread, other, , erased] = records;
      if (erased === undefined) throw new Error('a record is missing');
      verifyRecord(ledger, erased);
      expect(erased).toMatchObject({ inputs: null, erased_fields: ['inputs', 'metadata'] });
      expect(erased.verifier.verifiers).toBeNull();
      expect(other).toMatchObject({ outputs: null, unreadable_fields: ['outputs'] });
      expect(unread).toMatchObject({ outputs: null, unreadable_fields: ['outputs'] });
      expect(unread?.tamper_evidence.commitments).toEqual({});
      const statement = await readCompleteness();
      expect(statement.erased_fields).toEqual({ total: 2, by_field: { inputs: 1, metadata: 1 } });
      const cells = readCsv(await drain(part('article12.csv')))[5] ?? [];
      expect(cells).toContain('inputs metadata');
      expect(cells.filter((cell) => cell === 'erased').length).toBe(2);
    });
  });

  it('Files are the same after an interruption after every piece', async () => {
    for (const name of MADE_OF_RECORDS) {
      const one = part(name);
      expect(await drainBrokenOff(one), name).toBe(await drain(one));
      const pieces = await piecesOf(one);
      expect(
        pieces.reduce((sum, { records }) => sum + records, 0),
        name,
      ).toBe(6);
    }
  });

  it('A piece holds at most 200 records and one mebibyte', async () => {
    const small = { decisions: Array.from({ length: 100 }, () => decision({ timestamp: DAY })) };
    for (const _ of [1, 2, 3]) await org.live.post('/decisions/batch', small);
    const large = decision({ timestamp: DAY, inputs: { text: 'x'.repeat(250_000) } });
    await org.live.post('/decisions/batch', { decisions: Array(9).fill(large) });
    for (const name of MADE_OF_RECORDS) {
      const one = part(name);
      const pieces = await piecesOf(one);
      expect(pieces.length).toBeGreaterThan(2);
      for (const { records, text } of pieces) {
        expect(records).toBeLessThanOrEqual(200);
        expect(text.length).toBeLessThan(1.2 * 1024 * 1024);
      }
      expect(await drainBrokenOff(one)).toBe(pieces.map(({ text }) => text).join(''));
    }
    const seqs = (await readFile()).records.map(({ tamper_evidence }) => tamper_evidence.seq);
    expect(seqs.length).toBe(315);
    expect(new Set(seqs).size).toBe(315);
  });

  it('`article12.csv` has one row per decision, without spreadsheet formulas', async () => {
    const text = await drain(part('article12.csv'));
    expect(text.startsWith('\ufeffseq,')).toBe(true);
    const [header = [], ...rows] = readCsv(text);
    const { records } = await readFile();
    const table = rows.map((row) => Object.fromEntries(row.map((cell, at) => [header[at], cell])));
    expect(table.map(({ hash }) => hash)).toEqual(records.map((r) => r.tamper_evidence.hash));
    expect(table[0]).toMatchObject({ agent_id: "'=cmd", action_type: "'-1+1", metadata: 'absent' });
    expect(table[1]).toMatchObject({ human_in_loop: 'true', alternatives: 'recorded' });
    expect(table[4]).toMatchObject({
      ...{ use_start: '2026-04-12T08:00:00Z', reference_database: 'watch list 7' },
      ...{ matched_input: 'recorded', verifiers: "'@anna; ben", reviewer_id: '' },
    });
    expect(table[5]).toMatchObject({ use_start: '', reviewer_id: '5', verifiers: '5' });
    expect(text.split('\r\n').length).toBe(8);
  });

  it('`completeness.json` states what is present, missing and not covered', async () => {
    const statement = await readCompleteness();
    const missing = (field: string) =>
      statement.missing_fields.find((one: { field: string }) => one.field === field);
    expect(statement).toMatchObject({
      generated_at: '2026-04-16T09:30:00.000Z',
      range: { start: '2026-04-09T00:00:00.000Z', end: '2026-04-15T00:00:00.000Z' },
      records: 6,
      run: { first_seq: 1, last_seq: 7, decisions: 7, outside_range: 1 },
      human_in_loop: { records: 2, without_named_verifier: 1 },
      erased_fields: { total: 0, by_field: {} },
      chain_verification: { is_valid: true, records_checked: 7, activity: { is_valid: true } },
    });
    expect(missing('period_of_use.start')).toMatchObject({ missing: 5, of: 6 });
    expect(missing('biometric_search.matched_input')).toMatchObject({ missing: 5, of: 6 });
    expect(missing('verifier.verifiers')).toMatchObject({ missing: 3, of: 6 });
    expect(missing('inputs')).toMatchObject({ missing: 0, of: 6 });
    expect(statement.not_covered.length).toBeGreaterThan(3);
    const empty = await readCompleteness(within(run, { start: 0, end: 1 }));
    expect(empty).toMatchObject({
      records: 0,
      run: { first_seq: null, last_seq: null, decisions: 0, outside_range: 0 },
    });
  });
}
