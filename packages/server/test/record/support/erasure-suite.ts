import { DecisionPage } from '@decision-ledger/contract/decision';
import { Erasure } from '@decision-ledger/contract/erasure';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, dataOf, expectRefusal } from '../../support/client.js';
import {
  decideFull,
  erase,
  erasuresOf,
  FULL,
  postErasure,
  REASON,
  read,
  rowsOf,
  verify,
} from '../../support/erasures.js';
import { decide } from '../../support/estimates.js';
import { type Engine, openTestService, scopeOf, type TestService } from '../../support/service.js';

let bed: TestService;
let client: Client;
let id: string;

const rows = async () => rowsOf(bed, await scopeOf(bed, client));

/** Erasure as callers see it. */
export function erasureSuite(engine: Engine): void {
  describe(`Erasure on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
    });
    beforeEach(async () => {
      client = (await bed.organisation()).live;
      await decide(client);
      id = await decideFull(client);
      await decide(client);
    });
    afterAll(() => bed.close());

    describe('Erased fields', answers);
    describe('Refusals', refusals);
    describe('Idempotency-Key', idempotency);
  });
}

function answers(): void {
  it('An erasure removes the value and leaves everything else, including a valid chain', async () => {
    const before = await read(client, id);
    const answer = await erase(client, id, 'inputs');
    expect(answer).toEqual({ decision_id: id, erased_fields: ['inputs'], activity_seq: 3 });
    const { inputs: _inputs, ...rest } = before;
    expect(await read(client, id)).toEqual({ ...rest, erased_fields: ['inputs'] });
    expect(await verify(client)).toMatchObject({
      ...{ is_valid: true, records_checked: 3, erased_fields: 1 },
    });
    expect(await rows()).not.toContain('secret-inputs');
  });

  it('An erasure is recorded in the activity chain with its actor, fields and reason', async () => {
    await erase(client, id, 'metadata', 'inputs');
    const [told, ...more] = await erasuresOf(client);
    expect(more).toEqual([]);
    expect(told).toMatchObject({
      ...{ type: 'decision.field_erased', subject: id },
      data: { fields: ['inputs', 'metadata'], reason: REASON },
    });
    expect(told?.actor).toMatch(/^key_/);
    const answer = await client.get('/activity/chain/verify');
    expect(answer.text).toContain('"is_valid":true');
  });

  it('All four fields can be erased, which leaves the decision and its proof', async () => {
    await erase(client, id, 'metadata', 'alternatives', 'outputs', 'inputs');
    const all = ['inputs', 'outputs', 'alternatives', 'metadata'];
    const left = await read(client, id);
    expect(left.erased_fields).toEqual(all);
    for (const field of all) expect(left).not.toHaveProperty(field);
    expect(await verify(client)).toMatchObject({ is_valid: true, erased_fields: 4 });
    expect(await rows()).not.toContain('secret');
    expect(await rows()).not.toContain('731.25');
  });

  it('Erasing a field again changes nothing, and only newly erased fields are recorded', async () => {
    await erase(client, id, 'inputs');
    const before = await rows();
    expect(await erase(client, id, 'inputs')).toEqual({
      ...{ decision_id: id, erased_fields: ['inputs'] },
    });
    expect(await rows()).toBe(before);
    expect(await erase(client, id, 'outputs', 'inputs')).toMatchObject({
      erased_fields: ['inputs', 'outputs'],
    });
    const told = (await erasuresOf(client)).map(({ data }) => data?.fields);
    expect(told).toEqual([['inputs'], ['outputs']]);
    expect(await verify(client)).toMatchObject({ is_valid: true, erased_fields: 2 });
  });

  it('An erasure shows in lists, and erased metadata is no longer found', async () => {
    const find = async (filter: string) =>
      dataOf(await client.get(`/decisions?${filter}`), DecisionPage).decisions;
    expect(await find('metadata.order_id=ORD-2002')).toHaveLength(1);
    await erase(client, id, 'metadata');
    expect(await find('metadata.order_id=ORD-2002')).toEqual([]);
    const listed = await find('action_type=refund&limit=10');
    expect(listed.map(({ erased_fields }) => erased_fields)).toEqual([
      undefined,
      ['metadata'],
      undefined,
    ]);
    expect(listed[1]).toMatchObject({ inputs: FULL.inputs });
    expect(listed[1]).not.toHaveProperty('metadata');
  });
}

function refusals(): void {
  it('Erasure in a decision unknown to the ledger is refused', async () => {
    const unknown = 'dec_01kpat0fe0ec88qqtsarzj0nhh';
    for (const name of [unknown, 'nothing', id.replace('dec', 'evt'), id.toUpperCase()]) {
      expectRefusal(await postErasure(client, name, ['inputs']), 'not_found');
    }
  });

  it('Erasure of a field that the decision never had is refused, with its position named', async () => {
    const { decision_id } = await decide(client);
    const before = await rows();
    const answer = await postErasure(client, decision_id, ['inputs', 'metadata', 'alternatives']);
    expectRefusal(answer, 'validation_error', 'fields[1]', 'fields[2]');
    expect(await rows()).toBe(before);
  });

  it.for([
    ['fields', { reason: REASON }],
    ['reason', { fields: ['inputs'] }],
    ['fields', { fields: [], reason: REASON }],
    ['fields', { fields: ['inputs', 'inputs'], reason: REASON }],
    ['fields[0]', { fields: ['agent_id'], reason: REASON }],
    ['fields', { fields: 'inputs', reason: REASON }],
    ['reason', { fields: ['inputs'], reason: '' }],
    ['reason', { fields: ['inputs'], reason: 'x'.repeat(1001) }],
    ['more', { fields: ['inputs'], reason: REASON, more: 1 }],
  ] as const)('Erasure with invalid %s is refused: %j', async ([field, body]) => {
    const before = await rows();
    const answer = await client.post(`/decisions/${id}/erase`, body);
    expectRefusal(answer, 'validation_error', field);
    expect(await rows()).toBe(before);
  });
}

function idempotency(): void {
  const key = { 'idempotency-key': 'erase once' };

  it('A repeated erasure with its Idempotency-Key gets the same answer and changes nothing', async () => {
    const first = await postErasure(client, id, ['inputs'], key);
    const before = await rows();
    const again = await postErasure(client, id, ['inputs'], key);
    expect(again.header('idempotency-replayed')).toBe('true');
    expect(dataOf(again, Erasure)).toEqual(dataOf(first, Erasure));
    expect(await rows()).toBe(before);
  });

  it('Reusing the Idempotency-Key for another decision or other fields is a conflict', async () => {
    const other = await decideFull(client);
    await postErasure(client, id, ['inputs'], key);
    expectRefusal(await postErasure(client, other, ['inputs'], key), 'idempotency_conflict');
    expectRefusal(await postErasure(client, id, ['outputs'], key), 'idempotency_conflict');
    expect((await read(client, other)).inputs).toEqual(FULL.inputs);
  });
}
