import { createHash } from 'node:crypto';
import { DecisionChainVerification } from '@decision-ledger/contract/chain';
import {
  type Decision,
  DecisionBatchReceipt,
  DecisionPage,
  DecisionReceipt,
} from '@decision-ledger/contract/decision';
import { DecisionInDetail } from '@decision-ledger/contract/decision-view';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { parseJson } from '@decision-ledger/proof/gate';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idToUuid, uuidToId } from '#server/platform/ids';
import { json, text } from '../../../proof/test/support/arbitraries.js';
import { canonicalize } from '../../../proof/test/support/oracle.js';
import { dataOf, decision } from '../support/client.js';
import { type Organisation, openTestService, type TestService } from '../support/service.js';

let bed: TestService;
let org: Organisation;

beforeAll(async () => {
  bed = await openTestService('embedded');
  org = await bed.organisation();
});
afterAll(() => bed.close());

const object = fc.dictionary(text, json, { maxKeys: 6, noNullPrototype: true });
const name = text.filter((s) => s.length > 0);

const body = fc.record(
  {
    agent_id: name,
    action_type: name,
    inputs: object,
    outputs: object,
    confidence: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1, 0.1)),
    alternatives: fc.array(object, { maxLength: 3 }),
    human_in_loop: fc.boolean(),
    metadata: object,
    timestamp: fc
      .date({
        min: new Date(-62_135_596_800_000),
        max: new Date(Date.UTC(2026, 3, 16)),
        noInvalidDate: true,
      })
      .map((date) => date.toISOString()),
  },
  { requiredKeys: ['agent_id', 'action_type', 'inputs', 'outputs', 'confidence'] },
);
type Body = typeof body extends fc.Arbitrary<infer Value> ? Value : never;

/** A decision without its estimate and its links. */
async function read(id: string): Promise<Decision> {
  const answer = await org.live.get(`/decisions/${id}`);
  const {
    links: _links,
    links_next_cursor: _cursor,
    previous: _previous,
    next: _next,
    outcome: _outcome,
    liability: _liability,
    ...stored
  } = dataOf(answer, DecisionInDetail);
  return stored;
}

async function record(bodies: readonly object[]): Promise<string[]> {
  const answer = await org.live.post('/decisions/batch', { decisions: bodies });
  const { decisions } = dataOf(answer, DecisionBatchReceipt, 201);
  return decisions.map(({ decision_id }) => decision_id);
}

/** What was sent as GET answers it: the fields that the service adds come from the answer. */
function asAnswered(sent: object, stored: Decision): object {
  const { decision_id, seq, timestamp, created_at, hash, prev_hash } = stored;
  const added = { decision_id, seq, created_at, hash, prev_hash };
  return { human_in_loop: false, timestamp, ...sent, ...added };
}

describe('Stored decisions', () => {
  it('A decision comes back byte for byte in canonical form', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 10 }), async (bodies) => {
        const ids = await record(bodies);
        for (const [n, id] of ids.entries()) {
          const stored = await read(id);
          expect(canonicalize(stored)).toBe(canonicalize(asAnswered(bodies[n] ?? {}, stored)));
        }
      }),
      { seed: 2026, numRuns: 25 },
    );
  });

  it('A decision is the same in the list as alone', async () => {
    const { decisions } = dataOf(await org.live.get('/decisions?limit=50'), DecisionPage);
    for (const listed of decisions) {
      expect(canonicalize(listed)).toBe(canonicalize(await read(listed.decision_id)));
    }
  });

  it.for([
    ...['0.1', '1e-7', '0.000001', '5e-324', '-0', '0.30000000000000004', '9007199254740991'],
    ...['1E2', '1.50', '-1.5e-9', '123456789012345.67', '"\\u00e9\\ud83d\\ude00"', '"\\/"'],
    ...['"e\\u0301"', '"\\u2028"', '"\\u007f"', '"\\ufeff"', '"\\uffff"', '[]', '{}', '""'],
  ])('The value %s keeps its meaning if it is written in another form', async (written) => {
    const sent = JSON.stringify(decision()).replace('{"order":1}', `{"n":${written}}`);
    const { decision_id } = dataOf(await org.live.post('/decisions', sent), DecisionReceipt, 201);
    const answer = await org.live.get(`/decisions/${decision_id}`);
    expect(answer.text).toContain(`"inputs":{"n":${canonicalize(parseJson(written))}}`);
  });

  it('Omitted fields of a decision stay distinct from empty ones', async () => {
    const empty = { alternatives: [], metadata: {} };
    const [full = '', bare = ''] = await record([decision(empty), decision()]);
    expect(await read(full)).toMatchObject(empty);
    const names = Object.keys(await read(bare));
    expect(names).not.toContain('metadata');
    expect(names).not.toContain('alternatives');
  });

  it('A decision is dated by its timestamp, or else by its created_at', async () => {
    const timestamp = '2025-12-31T23:59:59.999Z';
    const [dated = '', undated = ''] = await record([decision({ timestamp }), decision()]);
    expect((await read(dated)).timestamp).toBe(timestamp);
    const { timestamp: own, created_at } = await read(undated);
    expect(own).toBe(created_at);
  });
});

interface StoredRow {
  readonly ledger_id: string;
  readonly epoch: number;
  readonly entry: string;
  readonly hash: string;
  readonly prev_hash: string;
  readonly inputs: string;
  readonly outputs: string;
  readonly alternatives: string | null;
  readonly metadata: string | null;
}

async function storedRow(id: string): Promise<StoredRow> {
  const [row] = await bed.service.db.query<StoredRow>(sql`
    select ledger_id, epoch, entry, encode(hash, 'hex') as hash,
      encode(prev_hash, 'hex') as prev_hash, inputs, outputs, alternatives, metadata
    from decisions where decision_id = ${idToUuid('dec', id)}`);
  if (row === undefined) throw new Error(`no row of ${id}`);
  return row;
}

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8');

/** The digest of one field, computed from what was sent and the stored salt. */
function digestOf(disclosure: string, field: string, value: unknown): string {
  const parts: unknown = parseJson(disclosure, 80);
  const [salt] = Array.isArray(parts) ? parts : [];
  expect(Buffer.from(String(salt), 'base64url')).toHaveLength(16);
  expect(disclosure).toBe(canonicalize([salt, field, value]));
  return sha256(Buffer.from(disclosure, 'utf8').toString('base64url')).digest('base64url');
}

function expectedEntry(sent: Body, stored: Decision, row: StoredRow): string | undefined {
  const commitments: Record<string, string> = {};
  for (const field of ['inputs', 'outputs', 'alternatives', 'metadata'] as const) {
    const disclosure = row[field];
    expect(disclosure === null, field).toBe(sent[field] === undefined);
    if (disclosure !== null) commitments[field] = digestOf(disclosure, field, sent[field]);
  }
  return canonicalize({
    _type: 'decision-ledger/decision/v1',
    ledger: uuidToId('led', row.ledger_id),
    epoch: 1,
    seq: stored.seq,
    prev_hash: stored.prev_hash,
    decision_id: stored.decision_id,
    agent_id: sent.agent_id,
    action_type: sent.action_type,
    confidence: sent.confidence,
    human_in_loop: sent.human_in_loop ?? false,
    timestamp: sent.timestamp ?? stored.created_at,
    created_at: stored.created_at,
    commitments,
  });
}

describe('Decision metadata', () => {
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`key ${count - n}`, n]));

  it.for([
    ['in alphabetical order', { a: 1, b: 2 }],
    ['in any other order', { z: 1, a: 2, m: 'x' }],
    ['named by numbers', { b: 1, '10': 2, '9': 3, '-1': 4 }],
    ['outside the BMP', { '\uff61': 1, '😀': 2, é: 3 }],
    ['in upper and lower case', { b: 1, B: 2, a: 3, A: 4 }],
    ['of mixed scalars and containers', { z: {}, y: 1, x: [], a: null }],
    ['beyond the searchable number', members(100)],
  ] as const)('A decision with metadata members %s verifies', async ([, metadata]) => {
    const { live } = await bed.organisation();
    const sent = await live.post('/decisions', decision({ metadata }));
    const { decision_id } = dataOf(sent, DecisionReceipt, 201);
    const verified = dataOf(await live.get('/decisions/chain/verify'), DecisionChainVerification);
    expect(verified.first_broken_link).toBeNull();
    const [[name, value] = ['', '']] = Object.entries(metadata).filter(
      ([, v]) => typeof v === 'number',
    );
    const filter = `metadata.${encodeURIComponent(name)}=${String(value)}`;
    const found = dataOf(await live.get(`/decisions?${filter}`), DecisionPage).decisions;
    expect(found.map((hit) => hit.decision_id)).toEqual([decision_id]);
  });
});

describe('Independent database reader', () => {
  it('An independent reader computes the same entry, commitments and hash', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 5 }), async (bodies) => {
        const ids = await record(bodies);
        for (const [n, sent] of bodies.entries()) {
          const id = ids[n] ?? '';
          const [stored, row] = [await read(id), await storedRow(id)];
          expect(row.entry).toBe(expectedEntry(sent, stored, row));
          expect(row.hash).toBe(sha256(`\0${row.entry}`).digest('hex'));
          expect([stored.hash, stored.prev_hash]).toEqual([row.hash, row.prev_hash]);
        }
      }),
      { seed: 2027, numRuns: 20 },
    );
  });

  it('Each record points to the one before it, and the first to the genesis', async () => {
    const other = await bed.organisation();
    const { decision_id } = dataOf(
      await other.live.post('/decisions', decision()),
      DecisionReceipt,
      201,
    );
    const first = await storedRow(decision_id);
    const [chain] = await bed.service.db.query<{ genesis: string }>(sql`
      select genesis from chains
      where ledger_id = ${first.ledger_id} and chain = 'decisions'`);
    const genesis: JsonValue = JSON.parse(chain?.genesis ?? 'null');
    expect(genesis).toMatchObject({
      _type: 'decision-ledger/genesis/v1',
      ledger: uuidToId('led', first.ledger_id),
      organisation: other.id,
      mode: 'live',
      chain: 'decisions',
    });
    expect(chain?.genesis).toBe(canonicalize(genesis));
    expect(first.prev_hash).toBe(sha256(`\0${chain?.genesis}`).digest('hex'));

    const { decisions } = dataOf(await org.live.get('/decisions?limit=500'), DecisionPage);
    const bySeq = new Map(decisions.map((stored) => [stored.seq, stored]));
    for (const { seq, prev_hash } of decisions) {
      const before = bySeq.get(seq - 1);
      if (before !== undefined) expect(prev_hash).toBe(before.hash);
    }
  });

  it('No salt is used twice', async () => {
    const rows = await bed.service.db.query<{ salt: string }>(sql`
      select substring(field from 3 for 22) as salt from decisions,
        unnest(array[inputs, outputs, alternatives, metadata]) as field
      where field is not null`);
    expect(rows.length).toBeGreaterThan(100);
    expect(new Set(rows.map(({ salt }) => salt)).size).toBe(rows.length);
  });

  it('An independent reader agrees with the verification of the service', async () => {
    const answer = await org.live.get('/decisions/chain/verify');
    const { first_broken_link, records_checked } = dataOf(answer, DecisionChainVerification);
    expect(first_broken_link).toBeNull();
    expect(records_checked).toBeGreaterThan(100);
  });
});
