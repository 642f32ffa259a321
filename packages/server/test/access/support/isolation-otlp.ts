import { createHash } from 'node:crypto';
import { DecisionPage } from '@decision-ledger/contract/decision';
import { SpanGroups } from '@decision-ledger/contract/otlp';
import { expect } from 'vitest';
import { jsonRequest, jsonSpan, postTraces } from '../../sources/otlp/support/otlp-request.js';
import { dataOf } from '../../support/client.js';
import { type Case, expectNothingOf, type Ledger } from './isolation-ledger.js';

/** Nothing of these is kept. */
const dropped =
  (path: string): Case =>
  async (own, foreign, bed) => {
    for (const { client } of [foreign, own]) {
      const headers = { 'x-ledger-key': client.key, 'content-type': 'application/json' };
      const answer = await bed.http.inject({ method: 'POST', url: path, headers, payload: '{}' });
      expect([answer.statusCode, answer.body]).toEqual([200, '{}']);
    }
  };

export const OTLP_CASES: Readonly<Record<string, Case>> = {
  'GET /api/v1/otlp/spans': async (own, foreign, bed) => {
    for (const { client, mark } of [foreign, own]) {
      await client.patch('/settings', { otlp: { preset: 'gen_ai_1.45' } });
      const scope = { name: `scope of ${mark}` };
      const scopeSpans = [{ scope, spans: [jsonSpan()] }];
      const body = JSON.stringify({ resourceSpans: [{ scopeSpans }] });
      expect((await postTraces(bed.http, client.key, body)).status).toBe(200);
    }
    const answer = await own.client.get('/otlp/spans');
    const { groups } = dataOf(answer, SpanGroups);
    expect(groups.map(({ scope }) => scope)).toContain(`scope of ${own.mark}`);
    expectNothingOf(foreign, answer.text);
  },
  'POST /v1/metrics': dropped('/v1/metrics'),
  'POST /v1/logs': dropped('/v1/logs'),
  'POST /v1/traces': async (own, foreign, bed) => {
    for (const { client } of [foreign, own]) {
      const answer = await client.patch('/settings', { otlp: { preset: 'gen_ai_1.45' } });
      expect(answer.status, answer.text).toBe(200);
    }
    // The ids of a span that another ledger has are new in this one.
    const agent = `traced ${own.mark} ${foreign.mark}`;
    const attributes = { 'gen_ai.agent.name': { stringValue: agent } };
    const digest = createHash('sha256').update(agent).digest('hex');
    const ids = { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
    const span = jsonSpan(attributes, ids);
    for (const ledger of [foreign, own]) {
      const answer = await postTraces(bed.http, ledger.client.key, jsonRequest(span));
      expect([answer.status, answer.bytes.toString()]).toEqual([200, '{}']);
      expect(await countOf(agent, ledger)).toBe(1);
    }
  },
};

async function countOf(agent: string, { client }: Ledger): Promise<number> {
  const answer = await client.get(`/decisions?agent_id=${encodeURIComponent(agent)}`);
  return dataOf(answer, DecisionPage).decisions.length;
}
