import { Explanation } from '@decision-ledger/contract/explanation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf, expectRefusal } from '../support/client.js';
import { erase } from '../support/erasures.js';
import { openTestService, type TestService } from '../support/service.js';
import { at, type Desk, openDesk } from '../support/suggestions-desk.js';

const ORDER = { order_id: 'SO-7003' };

describe('GET /financial-events/{id}/explanation', () => {
  let test: TestService;
  let desk: Desk;
  beforeAll(async () => {
    test = await openTestService('embedded');
    desk = await openDesk(test);
  });
  afterAll(() => test.close());

  const pathOf = (event: string, decision: string) =>
    `/financial-events/${event}/explanation?decision_id=${decision}`;
  const explain = async (event: string, decision = '') =>
    dataOf(await desk.client.get(pathOf(event, decision)), Explanation);

  it('It quotes the fields and values that the event and the decision share now', async () => {
    const fields = { inputs: ORDER, outputs: { total: '40.00', currency: 'USD' } };
    const [decision = ''] = await desk.decide(fields);
    const event = await desk.happen({ metadata: ORDER, timestamp: at(61 / 60) });
    await desk.look();
    expect(await explain(event, decision)).toEqual({
      sentence: 'Order SO-7003 and 40.00 USD appear in both; 61 minutes later.',
      shared: [
        {
          event_field: 'metadata.order_id',
          event_value: 'SO-7003',
          decision_field: 'inputs.order_id',
          decision_value: 'SO-7003',
          decisions: 1,
        },
      ],
      amount: 'equal',
    });
    await erase(desk.client, decision, 'inputs');
    expect(await explain(event, decision)).toMatchObject({
      sentence: '40.00 USD appears in both, but no identifier does; 61 minutes later.',
      shared: [],
    });
  });

  it('It says that another decision of the same case names the transaction', async () => {
    const ticket = { ticket_id: 'TCK-5501' };
    const order = { order_id: 'SO-8120' };
    const [, acting] = await desk.decide(
      { action_type: 'triage', metadata: order, inputs: ticket },
      { action_type: 'refund', inputs: ticket, timestamp: at(0.5) },
    );
    const event = await desk.happen({ metadata: order });
    await desk.look();
    expect((await explain(event, acting)).sentence).toBe(
      'No identifier appears in both; another decision of the same case names the transaction; ' +
        'the decision states no amount; 30 minutes later.',
    );
  });

  it('It knows no pair of another ledger, and names a malformed id', async () => {
    const [decision = ''] = await desk.decide({});
    const event = await desk.happen();
    const stranger = (await test.organisation()).live;
    expectRefusal(await stranger.get(pathOf(event, decision)), 'not_found');
    expectRefusal(await desk.client.get(pathOf(event, 'dec_1')), 'validation_error', 'decision_id');
    expectRefusal(await desk.client.get(pathOf(event, event.replace('evt', 'dec'))), 'not_found');
  });
});
