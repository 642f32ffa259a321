import { DecisionInDetail } from '@decision-ledger/contract/decision-view';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decision } from '../support/client.js';
import { openTestService, type TestService } from '../support/service.js';

let test: TestService;
beforeAll(async () => {
  test = await openTestService('embedded');
});
afterAll(() => test.close());

it('A decision names its neighbours in the chain of its own ledger', async () => {
  const { live, test: other } = await test.organisation();
  const receipts = [];
  for (let n = 0; n < 3; n += 1) {
    await other.post('/decisions', decision());
    const { text } = await live.post('/decisions', decision());
    const { decision_id, seq, hash } = Parse(Receipt, JSON.parse(text)).data;
    receipts.push({ decision_id, seq, hash });
  }
  const [first, second, third] = receipts;
  const read = async (id: string | undefined) => {
    const { text } = await live.get(`/decisions/${id}`);
    const { previous, next } = Parse(Answer, JSON.parse(text)).data;
    return { previous, next };
  };
  expect(await read(first?.decision_id)).toEqual({ previous: null, next: second });
  expect(await read(second?.decision_id)).toEqual({ previous: first, next: third });
  expect(await read(third?.decision_id)).toEqual({ previous: second, next: null });
});

const Answer = Type.Object({ data: DecisionInDetail });
const Receipt = Type.Object({
  data: Type.Object({ decision_id: Type.String(), seq: Type.Integer(), hash: Type.String() }),
});
