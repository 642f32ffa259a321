import { IssuedKey } from '@decision-ledger/contract/access';
import { SpanGroups } from '@decision-ledger/contract/otlp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { pruneSpanGroups } from '#server/domains/sources/otlp/index';
import { dataOf, expectRefusal } from '../../support/client.js';
import { describeEngine } from '../../support/engine.js';
import { type Organisation, openTestService, type TestService } from '../../support/service.js';
import { JSON_TYPE, jsonSpan, PROTOBUF, postTraces } from './support/otlp-request.js';

const HOUR = 3_600_000;

describeEngine((engine) => {
  let bed: TestService;
  let organisation: Organisation;

  beforeAll(async () => {
    bed = await openTestService(engine);
  });
  afterAll(() => bed.close());
  beforeEach(async () => {
    organisation = await bed.organisation();
  });

  const requestOf = (scope: object, ...spans: readonly object[]) =>
    JSON.stringify({ resourceSpans: [{ scopeSpans: [{ scope, spans }] }] });

  async function send(body: string, status = 200, http = bed.http): Promise<void> {
    const answer = await postTraces(http, organisation.live.key, body);
    expect(answer.status, answer.bytes.toString()).toBe(status);
  }

  async function groupsOf(client = organisation.live) {
    return dataOf(await client.get('/otlp/spans'), SpanGroups).groups;
  }

  const told = async () =>
    (await groupsOf()).map(({ signal, scope, taken_by, result, reason, count }) => [
      ...[signal, scope, taken_by, result, reason, count],
    ]);

  it('Every span of a request is counted by its scope, its rule and what became of it', async () => {
    await organisation.live.patch('/settings', {
      otlp: { preset: 'gen_ai_1.45', rules: [{ span_name: 'handoff' }] },
    });
    const chat = { 'gen_ai.operation.name': { stringValue: 'chat' } };
    const spans = [
      jsonSpan({}, { spanId: '1'.repeat(16) }),
      jsonSpan({}, { spanId: '2'.repeat(16) }),
      jsonSpan(chat),
      jsonSpan({ 'gen_ai.tool.call.arguments': undefined }),
      jsonSpan({ 'decision_ledger.confidence': { stringValue: 'high' } }),
      jsonSpan(chat, { name: 'handoff', spanId: 'none' }),
    ];
    await send(requestOf({ name: 'shop', version: '2.1' }, ...spans));
    await send(requestOf({}, jsonSpan({}, { startTimeUnixNano: '1' })));
    // The ids of a span that was recorded, with other content.
    const changed = { 'gen_ai.tool.name': { stringValue: 'other' } };
    await send(
      requestOf({ name: 'shop', version: '2.1' }, jsonSpan(changed, { spanId: '1'.repeat(16) })),
    );
    expect((await told()).sort()).toEqual(
      [
        ['traces', 'shop', 'gen_ai_1.45', 'recorded', null, 2],
        ['traces', 'shop', null, 'ignored', 'no_rule', 1],
        ['traces', 'shop', 'gen_ai_1.45', 'ignored', 'no_content', 1],
        ['traces', 'shop', 'gen_ai_1.45', 'refused', 'confidence', 1],
        ['traces', 'shop', 'rules[0]', 'refused', 'ids', 1],
        ['traces', '', 'gen_ai_1.45', 'refused', 'timestamp', 1],
        ['traces', 'shop', 'gen_ai_1.45', 'refused', 'recorded_before', 1],
      ].sort(),
    );
    const recorded = (await groupsOf()).find(({ result }) => result === 'recorded');
    expect(recorded).toMatchObject({ scope_version: '2.1' });
    const named = { name: 'gen_ai.tool.call.arguments', type: 'json' };
    expect(recorded?.attributes).toContainEqual(named);
  });

  it('What comes before a mapping is set, metrics and logs are counted as requests', async () => {
    await send(requestOf({ name: 'shop' }, jsonSpan()), 409);
    for (const [url, type] of [
      ['/v1/metrics', PROTOBUF],
      ['/v1/logs', JSON_TYPE],
      ['/v1/logs', JSON_TYPE],
    ] as const) {
      const headers = { 'x-ledger-key': organisation.live.key, 'content-type': type };
      const payload = type === PROTOBUF ? '' : '{}';
      const answer = await bed.http.inject({ method: 'POST', url, headers, payload });
      expect(answer.statusCode).toBe(200);
    }
    expect((await told()).sort()).toEqual([
      ['logs', null, null, 'ignored', 'not_recorded', 2],
      ['metrics', null, null, 'ignored', 'not_recorded', 1],
      ['traces', null, null, 'ignored', 'no_mapping', 1],
    ]);
    expect(await groupsOf(organisation.test)).toEqual([]);
  });

  it('A process that stops stores what it counted, and others add to it', async () => {
    await organisation.live.patch('/settings', { otlp: { preset: 'detect_1' } });
    const other = await bed.another();
    const chat = jsonSpan({ 'gen_ai.operation.name': { stringValue: 'chat' } });
    await send(requestOf({ name: 'shop' }, chat), 200, other.http);
    expect(await told()).toEqual([]);
    await other.close();
    expect(await told()).toEqual([['traces', 'shop', null, 'ignored', 'no_rule', 1]]);
    const next = await bed.another();
    await send(requestOf({ name: 'shop' }, chat, chat), 200, next.http);
    await next.close();
    await send(requestOf({ name: 'shop' }, chat));
    expect(await told()).toEqual([['traces', 'shop', null, 'ignored', 'no_rule', 4]]);
  });

  it('After a day nothing is shown, and nothing is kept', async () => {
    await organisation.live.patch('/settings', { otlp: { preset: 'detect_1' } });
    const other = await bed.another();
    await send(requestOf({ name: 'shop' }, jsonSpan()), 200, other.http);
    await other.close();
    const { db, installation, clock } = bed.service;
    const rows = () =>
      installation.queryAcross<{ groups: number }>({
        text: 'select jsonb_array_length(groups) as groups from span_groups',
        values: [],
      });
    const before = (await rows()).length;
    await pruneSpanGroups({ db, installation, clock });
    expect(await rows()).toHaveLength(before);
    bed.clock.advance(25 * HOUR);
    expect(await groupsOf()).toEqual([]);
    await pruneSpanGroups({ db, installation, clock });
    expect(await rows()).toEqual([]);
  });

  it('Only who may read the settings sees it', async () => {
    const body = { name: 'reader', permissions: ['read', 'ingest'] };
    const issued = await organisation.live.post('/keys', body);
    const { key } = dataOf(issued, IssuedKey, 201);
    expectRefusal(await bed.client(key).get('/otlp/spans'), 'forbidden');
  });
});
