import { DecisionPage } from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { casesOf, formOf, type Report } from '../../../../contract/test/support/outcome-cases.js';
import { dataOf } from '../../support/client.js';
import { openTestService, type TestService } from '../../support/service.js';
import { jsonRequest, jsonSpan, postTraces } from './support/otlp-request.js';

let test: TestService;

beforeAll(async () => {
  test = await openTestService('embedded');
});
afterAll(() => test.close());

/** The span of a tool that ended as a report says. */
function spanOf({ returned, raised }: Report) {
  if (raised !== undefined) {
    const attributes = { 'error.type': { stringValue: 'RangeError' } };
    return jsonSpan(attributes, { status: { code: 2, message: raised } });
  }
  const stringValue = typeof returned === 'string' ? returned : JSON.stringify(returned);
  return jsonSpan({ 'gen_ai.tool.call.result': { stringValue } });
}

it.for(casesOf('otlp').map((one) => [one.name, one] as const))(
  'The preset records as the cases say: %s',
  async ([_name, { report, outputs, stated }]) => {
    const { live } = await test.organisation();
    await live.patch('/settings', { otlp: { preset: 'gen_ai_1.45' } });
    const { status } = await postTraces(test.http, live.key, jsonRequest(spanOf(report)));
    expect(status).toBe(200);
    const { decisions } = dataOf(await live.get('/decisions'), DecisionPage);
    expect(decisions.map(formOf)).toEqual([{ outputs, stated }]);
  },
);

it('A span may state how it ended', async () => {
  const { live } = await test.organisation();
  await live.patch('/settings', { otlp: { preset: 'gen_ai_1.45' } });
  const span = jsonSpan({ 'decision_ledger.metadata.outcome': { stringValue: 'denied' } });
  await postTraces(test.http, live.key, jsonRequest(span));
  const { decisions } = dataOf(await live.get('/decisions'), DecisionPage);
  expect(decisions.map(formOf)).toEqual([{ outputs: {}, stated: 'denied' }]);
});
