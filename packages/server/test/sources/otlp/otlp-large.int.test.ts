import { DecisionPage } from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf } from '../../support/client.js';
import { type Organisation, openTestService, type TestService } from '../../support/service.js';
import { jsonRequest, jsonSpan, postTraces } from './support/otlp-request.js';

const MIB = 1024 * 1024;
let test: TestService;

beforeAll(async () => {
  test = await openTestService('embedded');
});
afterAll(() => test.close());

async function organisation(settings: object = {}): Promise<Organisation> {
  const made = await test.organisation();
  const otlp = { version: 2, preset: 'gen_ai_1.45', mask: ['inputs.card'] };
  await made.live.patch('/settings', { otlp, ...settings });
  return made;
}

const textOf = (bytes: number) =>
  Array.from({ length: bytes / 64 }, (_, at) => `line ${at} `.padEnd(64, 'x')).join('');
const spanOf = (result: string, args = '{}') =>
  jsonRequest(
    jsonSpan({
      'gen_ai.tool.call.arguments': { stringValue: args },
      'gen_ai.tool.call.result': { stringValue: result },
    }),
  );

async function posted({ live }: Organisation, body: string) {
  const { status, bytes } = await postTraces(test.http, live.key, body);
  expect([status, bytes.toString()]).toEqual([200, '{}']);
  return dataOf(await live.get('/decisions'), DecisionPage).decisions;
}

async function downloaded({ live }: Organisation, id: string, field: string): Promise<string> {
  const url = `/api/v1/decisions/${id}/uploads/${field}`;
  const answer = await test.http.inject({ url, headers: { 'x-ledger-key': live.key } });
  expect(answer.statusCode).toBe(200);
  return answer.body;
}

describe('A result of 20 MB', () => {
  it('It is recorded once, and read back byte for byte', async () => {
    const own = await organisation();
    const result = textOf(20 * MIB);
    await posted(own, spanOf(result));
    const decisions = await posted(own, spanOf(result));
    expect(decisions).toMatchObject([{ outputs: { $upload: { media_type: 'text/plain' } } }]);
    expect((await downloaded(own, decisions[0]?.decision_id ?? '', 'outputs')) === result).toBe(
      true,
    );
  });
});

describe('A field that is too large for a decision', () => {
  it('A JSON text shows its short values, and a mask applies before', async () => {
    const own = await organisation();
    const args = JSON.stringify({ card: '4111', order: 'A-1041', note: 'y'.repeat(300_000) });
    const [found] = await posted(own, spanOf('{}', args));
    expect(found?.inputs).toMatchObject({ card: '[masked]', order: 'A-1041' });
    const stored = await downloaded(own, found?.decision_id ?? '', 'inputs');
    expect(stored).toBe(args.replace('4111', '[masked]'));
  });

  it('A text that cannot be read is hidden by a mask that leads into its field', async () => {
    const own = await organisation();
    const [found] = await posted(own, spanOf('{}', `card 4111${'y'.repeat(300_000)}`));
    expect(found?.inputs).toEqual({ 'gen_ai.tool.call.arguments': '[masked]' });
  });

  it('One that no upload may hold leaves its digest, its size and its head', async () => {
    const own = await organisation({ recording: { max_upload_bytes: 262_144 } });
    const [found] = await posted(own, spanOf('z'.repeat(300_000)));
    expect(found).toMatchObject({
      outputs: { $degraded: 'too_large', size: 300_000, head: 'z'.repeat(8192) },
      metadata: { degraded: ['/outputs'] },
    });
  });
});
