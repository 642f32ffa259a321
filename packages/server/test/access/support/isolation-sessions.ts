import { Me, OpenedSession, SessionPage } from '@decision-ledger/contract/access';
import { LastVerifications } from '@decision-ledger/contract/chain';
import { expect } from 'vitest';
import { dataOf, expectRefusal } from '../../support/client.js';
import { type Case, expectNothingOf, type Ledger } from './isolation-ledger.js';

async function open({ client, mark }: Ledger) {
  return dataOf(await client.post('/sessions', { name: mark }), OpenedSession, 201);
}

export const SESSION_CASES: Readonly<Record<string, Case>> = {
  'GET /api/v1/me': async (own, foreign) => {
    const answer = await own.client.get('/me');
    expectNothingOf(foreign, answer.text.replaceAll(own.org.id, ''));
    expect(dataOf(answer, Me)).toMatchObject({
      organisation: { org_id: own.org.id },
      mode: own.mode,
    });
  },
  'GET /api/v1/verification': async (own, foreign) => {
    await foreign.client.get('/decisions/chain/verify');
    await own.client.get('/decisions/chain/verify');
    const answer = await own.client.get('/verification');
    expectNothingOf(foreign, answer.text);
    const last = own.receipts.at(-1);
    expect(dataOf(answer, LastVerifications).decisions?.head.seq).toBeGreaterThanOrEqual(
      last?.seq ?? 1,
    );
  },
  'GET /api/v1/sessions': async (own, foreign, bed) => {
    const [mine, theirs] = [await open(own), await open(foreign)];
    for (const client of [own.client, bed.client(mine.token)]) {
      const all = await client.get('/sessions?limit=500');
      expectNothingOf(foreign, all.text);
      const ids = dataOf(all, SessionPage).sessions.map(({ session_id }) => session_id);
      expect(ids).toContain(mine.session_id);
      expect(ids).not.toContain(theirs.session_id);
    }
  },
  'POST /api/v1/sessions': async (own, foreign, bed) => {
    const { token, mode } = await open(own);
    expect(mode).toBe(own.mode);
    expectNothingOf(foreign, (await bed.client(token).get('/decisions?limit=500')).text);
    const { decision_id } = foreign.receipts[0] ?? {};
    expectRefusal(await bed.client(token).get(`/decisions/${decision_id}`), 'not_found');
  },
  'DELETE /api/v1/sessions/:id': async (own, foreign, bed) => {
    const { session_id, token } = await open(foreign);
    expectRefusal(await own.client.delete(`/sessions/${session_id}`), 'not_found');
    expect((await bed.client(token).get('/decisions')).status).toBe(200);
  },
};
