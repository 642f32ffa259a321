import { Consistency, Log } from '@decision-ledger/contract/transparency';
import { expect } from 'vitest';
import { uuidToId } from '#server/platform/ids';
import { round } from '../../evidence/support/log-tools.js';
import { dataOf, expectRefusal } from '../../support/client.js';
import type { TestService } from '../../support/service.js';
import { type Case, expectNothingOf, type Ledger } from './isolation-ledger.js';

const CHAINS = ['decisions', 'activity'] as const;
const NO_LEDGER = '01900000-0000-7000-8000-000000000000';
const PUBLIC = 'GET /api/v1/logs/:ledger/:chain';

/** The cases of the transparency logs. */
export const TRANSPARENCY_CASES: Readonly<Record<string, Case>> = {
  'GET /api/v1/log/:chain': async (own, foreign, bed) => {
    await logsOf(own, foreign, bed);
    for (const chain of CHAINS) {
      const mine = await own.client.get(`/log/${chain}`);
      expect(dataOf(mine, Log).origin).toContain(uuidToId('led', own.scope.ledgerId));
      expectNothingOf(foreign, mine.text);
    }
  },
  'GET /api/v1/log/:chain/checkpoint': async (own, foreign, bed) => {
    await logsOf(own, foreign, bed);
    for (const chain of CHAINS) {
      const { text } = await own.client.get(`/log/${chain}/checkpoint`);
      expect(text).toContain(uuidToId('led', own.scope.ledgerId));
      expectNothingOf(foreign, text);
    }
  },
  'GET /api/v1/log/:chain/tile/*': async (own, foreign, bed) => {
    await logsOf(own, foreign, bed);
    for (const chain of CHAINS) {
      const { checkpoint } = dataOf(await own.client.get(`/log/${chain}`), Log);
      const entries = await own.client.get(`/log/${chain}/tile/entries/000.p/${checkpoint.size}`);
      expect(entries.status).toBe(200);
      expect(entries.text).toContain(uuidToId('led', own.scope.ledgerId));
      expectNothingOf(foreign, entries.text);
    }
  },
  'GET /api/v1/log/:chain/consistency': async (own, foreign, bed) => {
    await logsOf(own, foreign, bed);
    const answer = await own.client.get('/log/activity/consistency?first=1&second=2');
    expect(dataOf(answer, Consistency).origin).toContain(uuidToId('led', own.scope.ledgerId));
    expectNothingOf(foreign, answer.text);
  },
  'GET /api/v1/decisions/:id/proof': async (own, foreign, bed) => {
    await logsOf(own, foreign, bed);
    for (const { decision_id } of foreign.receipts) {
      expectRefusal(await own.client.get(`/decisions/${decision_id}/proof`), 'not_found');
    }
  },
  'POST /api/v1/decisions/:id/presentation': async (own, foreign, bed) => {
    await logsOf(own, foreign, bed);
    for (const { decision_id } of foreign.receipts) {
      const answer = await own.client.post(`/decisions/${decision_id}/presentation`, {
        fields: [],
      });
      expectRefusal(answer, 'not_found');
    }
  },
  [`${PUBLIC}/checkpoint`]: (own, foreign, bed) => hidden('checkpoint', own, foreign, bed),
  [`${PUBLIC}/tile/*`]: (own, foreign, bed) => hidden('tile/0/000.p/1', own, foreign, bed),
  [`${PUBLIC}/consistency`]: (own, foreign, bed) =>
    hidden('consistency?first=0&second=1', own, foreign, bed),
};

async function logsOf(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  for (const { client } of [own, foreign]) await round(bed, client);
}

/** A log that is not public looks like one that does not exist, to other ledgers and to nobody's. */
async function hidden(rest: string, own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  await logsOf(own, foreign, bed);
  const path = `/logs/${uuidToId('led', foreign.scope.ledgerId)}/decisions/${rest}`;
  const missing = `/logs/${uuidToId('led', NO_LEDGER)}/decisions/${rest}`;
  for (const client of [own.client, bed.client()]) {
    const answers = [await client.get(path), await client.get(missing)];
    for (const answer of answers) expectRefusal(answer, 'not_found');
  }
}
