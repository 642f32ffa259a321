import { LinkPage } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#server/platform/database';
import { RandomChoices } from '../model/choices.js';
import { type Client, dataOf } from '../support/client.js';
import { decide } from '../support/estimates.js';
import {
  askFor,
  CONSISTENT,
  check,
  download,
  type ExportFields,
  make,
  verdictsOf,
} from '../support/exports.js';
import { link, recordEvent } from '../support/money.js';
import { databaseWith } from '../support/own-database.js';
import { openTestService, type TestService } from '../support/service.js';

const JANUARY = { start_date: '2026-01-01', end_date: '2026-01-31' };
const IN = '2026-01-30T12:00:00.000Z';
const OUT = '2026-02-02T00:00:00.000Z';
const SALE = { event_type: 'payment', currency: 'USD', metadata: {} };
const SOURCES = ['stripe', 'shop', 'accounting/main', 'accounting/other'];
/** Changes in an export, on average: it has about 40 steps. */
const CHANCE = 0.3;

let bed: TestService;
let client: Client;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

/** Reports of one amount, and decisions of two agents with links to some of them. */
async function openMoney() {
  client = (await bed.organisation()).live;
  await client.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
  const decisions: string[] = [];
  for (const agent_id of ['alpha', 'beta']) {
    decisions.push((await decide(client, { agent_id, timestamp: IN })).decision_id);
  }
  const events: string[] = [];
  for (const source of SOURCES) {
    for (const timestamp of [IN, OUT]) {
      events.push((await recordEvent(client, { ...SALE, source, amount: '19.90', timestamp })).id);
    }
  }
  return { decisions, events };
}

/** Pairs, parts, links or deletes something, if that can be done. */
async function change(
  choices: RandomChoices,
  { decisions, events }: Awaited<ReturnType<typeof openMoney>>,
): Promise<void> {
  const event = () => choices.pick(events) ?? '';
  const what = choices.below(20);
  if (what < 9) await client.post('/movements/pair', { reports: [event(), event()] });
  else if (what < 13) await client.post('/movements/part', { report: event() });
  else if (what < 17) {
    const body = link(choices.pick(decisions) ?? '', event());
    await client.post('/links', { ...body, link_type: 'revenue' });
  } else if (what < 19) {
    const { links } = dataOf(await client.get('/links?limit=100'), LinkPage);
    await client.delete(`/links/${choices.pick(links)?.id ?? ''}`);
  } else await client.delete(`/financial-events/${event()}`);
}

/** A database before each statement or transaction of which something else may happen. */
function beforeEachStep(db: Database, happen: () => Promise<void>): Database {
  return databaseWith(db, {
    async query(statement) {
      await happen();
      return db.query(statement);
    },
    async transaction(work) {
      await happen();
      return db.transaction(work);
    },
  });
}

describe('Bundles that are made while reports are paired, parted, linked and deleted', () => {
  it.each<[string, ExportFields]>([
    ['of a range', JANUARY],
    ['of a filter', { ...JANUARY, filter: { agent_id: 'alpha' } }],
    ['of an agent', { ...JANUARY, export_type: 'statement', agent_id: 'alpha' }],
  ])('A bundle %s verifies', async (_name, fields) => {
    const choices = new RandomChoices(7);
    const money = await openMoney();
    for (let n = 0; n < 4; n += 1) {
      for (let before = 0; before < 8; before += 1) await change(choices, money);
      const { export_id } = await askFor(client, fields);
      let changes = 0;
      const db = beforeEachStep(bed.service.db, async () => {
        if (!choices.chance(CHANCE)) return;
        changes += 1;
        await change(choices, money);
      });
      await make(bed, client, export_id, { db });
      expect(changes).toBeGreaterThan(3);
      const report = await check(await download(bed, client, export_id));
      const { integrity, completeness, selection } = verdictsOf(report);
      const findings = JSON.stringify(report.verdicts);
      expect({ integrity, completeness }, findings).toEqual({
        integrity: CONSISTENT.integrity,
        completeness: expect.not.stringMatching('fail'),
      });
      expect(selection, findings).not.toBe('fail');
    }
  });
});
