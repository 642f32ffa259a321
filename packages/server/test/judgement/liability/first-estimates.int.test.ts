import { ExposureAnalysis, Pnl, Timeline } from '@decision-ledger/contract/analytics';
import { ExposureRows } from '@decision-ledger/contract/analytics-rows';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import type { Liability } from '@decision-ledger/contract/liability';
import { Link } from '@decision-ledger/contract/link';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readLogs } from '#server/domains/delivery/stream/read-logs';
import { selectHeads } from '#server/domains/delivery/stream/store/logs';
import {
  estimateFollower,
  readLiability,
  storeEstimates,
  withEstimates,
} from '#server/domains/judgement/liability/index';
import { learnedModel } from '#server/domains/judgement/liability/models';
import { lockLiabilityState } from '#server/domains/judgement/liability/store/snapshots';
import { takeStep } from '#server/platform/followers/step';
import type { Ledger } from '#server/platform/ledger';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf, decision } from '../../support/client.js';
import { erase, rowsOf } from '../../support/erasures.js';
import {
  announcementsOf,
  decide,
  historyOf,
  liabilityOf,
  sumsOf,
} from '../../support/estimates.js';
import { bundleOf } from '../../support/exports.js';
import { filesHolding } from '../../support/marked.js';
import { link, recordEvent } from '../../support/money.js';
import { databaseWith } from '../../support/own-database.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';
import { runCommand } from '../../support/service-process.js';

let bed: TestService;
let client: Client;
let scope: Scope;
let ledger: Ledger;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  client = (await bed.organisation()).live;
  scope = await scopeOf(bed, client);
  ledger = bed.service.db.ledger(scope);
});
afterAll(() => bed.close());

const LOSS = { link_type: 'loss', correlation_strength: 1 };

/** How many estimates are stored. */
async function storedCount(): Promise<number> {
  const rows = await ledger.query(sql`
    select seq from liability_estimates where ledger_id = ${ledger.ledgerId}`);
  return rows.length;
}

/** The announcements of changed estimates. */
function changesTold(): Promise<object[]> {
  return ledger.query(sql`
    select seq from announcements
    where ledger_id = ${ledger.ledgerId} and type = 'liability_estimate.updated'`);
}

/** What the stream tells of the exposure of each decision. */
async function streamed(): Promise<unknown[]> {
  const from = { decisions: 0, activity: 0, announcements: 0 };
  const { items } = await readLogs(ledger, from, await selectHeads(ledger));
  return items.flatMap(({ item: { event } }) =>
    event?.type === 'decision.recorded' ? [Reflect.get(event.data, 'exposure')] : [],
  );
}

const figures = ({ expected, expected_low, expected_high, currency }: Liability) => ({
  ...{ expected, expected_low, expected_high, currency },
});

/** Everything that is told of the estimates of a ledger, without the times of the answers. */
async function told(ids: readonly string[]) {
  const { as_of: _, ...exposure } = dataOf(
    await client.get('/analytics/liability'),
    ExposureAnalysis,
  );
  const rows = dataOf(await client.get('/analytics/liability/rows'), ExposureRows);
  const pnl = dataOf(await client.get('/analytics/ai-pnl'), Pnl);
  const { timeline } = dataOf(await client.get('/analytics/timeline'), Timeline);
  return {
    liabilities: await Promise.all(ids.map((id) => liabilityOf(client, id))),
    histories: await Promise.all(ids.map((id) => historyOf(client, id))),
    streamed: await streamed(),
    ...{ exposure, timeline, rows: rows.rows, sum: rows.sum },
    expected: [pnl.expected_liability, pnl.decisions, pnl.as_of_seq, pnl.pending],
  };
}

describe('First estimates', () => {
  it('Every answer and the stored row are equal to the cent, whatever settings, rates and model became', async () => {
    const rate = (value: string) => [{ from: 'EUR', to: 'USD', date: '2020-01-01', rate: value }];
    await client.patch('/settings', { exchange_rates: rate('1.25') });
    const stated = [
      { outputs: { amount: '800.10', currency: 'EUR' } },
      { outputs: { amount: '90.5', currency: 'GBP' }, metadata: { model: 'm-1' } },
      { outputs: { amount: 1e3 }, metadata: { confidence_source: 'fixed' }, confidence: 1 },
      { outputs: {}, human_in_loop: true },
      // Recorded in the order of the names, which is not that of what was sent.
      { outputs: { currency: 'USD', billing_currency: 'EUR', amount: 100 } },
      { outputs: { amount: 40, status: 'denied' }, metadata: { reviewer_id: 'r' } },
    ];
    const receipts: DecisionReceipt[] = [];
    for (const fields of stated) receipts.push(await decide(client, fields));
    const answered = receipts.map(({ liability }) => liability);
    const ids = receipts.map(({ decision_id }) => decision_id);
    await client.patch('/settings', {
      exchange_rates: [...rate('2'), { from: 'GBP', to: 'USD', date: '2020-01-01', rate: '3' }],
      liability: { response_cost: '77.00', confidence: { neutral: 0.2 }, horizon_days: 10 },
    });
    await ledger.write(async (tx) => {
      await lockLiabilityState(tx);
      const outcome = {
        ...{ confidence_bin: 9, oversight: 'none' as const, decisions: 100, losses: 50 },
        ...{ confidence: 95, confidence_squares: 90, confidence_lost: 47 },
      };
      const learned = {
        variants: [
          {
            ...{ agent_id: receipts[0] ? 'agent' : '', variant: '' },
            ...{ size_factor: 1, outcomes: [outcome] },
          },
        ],
        sizes: [],
        ...{
          severity: { count: 50, sum: 40, squares: 35 },
          median_amount: 5000,
          largest_amount: 20_000,
        },
      };
      await learnedModel(
        tx,
        { action_types: { refund: learned }, dispersion: null },
        bed.clock.now(),
      );
    });
    bed.clock.advance(3 * 86_400_000);

    expect(await storedCount()).toBe(0);
    const before = await told(ids);
    expect(before.liabilities).toEqual(answered);
    expect(before.histories).toEqual(answered.map((liability) => [liability]));
    expect(before.streamed).toEqual(before.liabilities.map(figures));
    expect(before.expected.slice(1)).toEqual([ids.length, ids.length, 0]);
    expect(before.liabilities[0]?.parts.amount_at_risk).toBe('1000.12');
    expect(before.liabilities[1]?.currency).toBe('GBP');

    // An export stores them first.
    const { files } = await bundleOf(bed, client);
    expect(await storedCount()).toBe(ids.length);
    const exported: unknown = JSON.parse(String(files.get('decisions.json')));
    expect(exported).toMatchObject(answered.map((liability) => ({ liability })));
    expect(await told(ids)).toEqual(before);
    expect(await changesTold()).toEqual([]);
    const { plain, cells } = await sumsOf(bed, scope);
    expect(cells).toEqual(plain);
  });

  it('A reading of what is stored sends one statement, and sums send two more than their own', async () => {
    const { decision_id } = await decide(client);
    const { db } = bed.service;
    let statements = 0;
    const counted = databaseWith(db, {
      query(statement) {
        statements += 1;
        return db.query(statement);
      },
    }).ledger(scope);
    const sent = async (read: () => Promise<unknown>) => {
      statements = 0;
      await read();
      return statements;
    };
    const reads = () => sent(() => readLiability(counted, 1));
    const first = await liabilityOf(client, decision_id);
    expect(await reads()).toBeLessThanOrEqual(3);
    await storeEstimates(ledger);
    expect(await reads()).toBe(1);
    expect(await sent(() => withEstimates(counted, async () => null))).toBe(2);
    expect(await readLiability(counted, 1)).toEqual(first);
  });

  it('A change of links before the estimate is stored leaves what it leaves after', async () => {
    const twin = { client: (await bed.organisation()).live };
    const results: unknown[] = [];
    for (const isStored of [false, true]) {
      const own = isStored ? twin.client : client;
      const ownScope = await scopeOf(bed, own);
      const ownLedger = bed.service.db.ledger(ownScope);
      const { decision_id } = await decide(own, { outputs: { amount: 200 } });
      const { decision_id: other } = await decide(own, { outputs: { amount: 20 } });
      const { id: event } = await recordEvent(own, { amount: '-60.00' });
      if (isStored) await storeEstimates(ownLedger);
      const made = dataOf(await own.post('/links', link(decision_id, event, LOSS)), Link, 201);
      const dry = await own.post('/links?dry_run=true', link(other, event, LOSS));
      const linked = await historyOf(own, decision_id);
      await storeEstimates(ownLedger);
      const stored = await historyOf(own, decision_id);
      expect(stored).toEqual(linked);
      await own.delete(`/links/${made.id}`);
      const news = await announcementsOf(bed, ownScope);
      const sums = await sumsOf(bed, ownScope);
      expect(sums.cells).toEqual(sums.plain);
      results.push({
        histories: [await historyOf(own, decision_id), await historyOf(own, other)].map((all) =>
          all.map(({ estimated_at: _, ...estimate }) => estimate),
        ),
        news: news.map(({ seq, type, update: { decision_id: __, ...update } }) => ({
          seq,
          type,
          update,
        })),
        ...{ sums, dry: dry.status },
      });
    }
    expect(results[0]).toEqual(results[1]);
    expect(results[0]).toMatchObject({ news: [{ seq: 1 }, { seq: 2 }] });
  });

  it('Sums count at most 2,000 estimates that are not stored, and say what is left out', async () => {
    const decisions = Array.from({ length: 100 }, () => decision({ outputs: { amount: 100 } }));
    for (let n = 0; n < 21; n += 1) await client.post('/decisions/batch', { decisions });
    const last = await decide(client, { outputs: { amount: 100 } });
    const { id: event } = await recordEvent(client, { amount: '-70.00' });
    await client.post('/links', link(last.decision_id, event, LOSS));
    const read = async () => {
      const { as_of: _, ...all } = dataOf(
        await client.get('/analytics/liability'),
        ExposureAnalysis,
      );
      const rows = dataOf(await client.get('/analytics/liability/rows?limit=1'), ExposureRows);
      const pnl = dataOf(await client.get('/analytics/ai-pnl'), Pnl);
      const shown = [all, rows, pnl].map(({ as_of_seq, pending }) => ({ as_of_seq, pending }));
      expect(rows.sum?.rows).toBe(all.decisions);
      expect([pnl.decisions, pnl.expected_liability]).toEqual([
        all.decisions,
        all.aggregate.expected,
      ]);
      return { all, shown };
    };
    const partly = await read();
    const state = { as_of_seq: 2000, pending: 101 };
    expect(partly.shown).toEqual([state, state, state]);
    expect(partly.all).toMatchObject({ decisions: 2000, aggregate: { realised: '0.00' } });
    // A decision beyond is told by itself all the same.
    expect((await liabilityOf(client, last.decision_id)).parts.realised).toBe('70.00');
    await storeEstimates(ledger);
    const whole = await read();
    expect(whole.shown).toEqual(Array(3).fill({ as_of_seq: 2101, pending: 0 }));
    expect(whole.all).toMatchObject({ decisions: 2101, aggregate: { realised: '70.00' } });
    const { plain, cells } = await sumsOf(bed, scope);
    expect(cells).toEqual(plain);
  });
});

/** How the database stores 12345678.91: its digits in groups of four. */
const AMOUNT = '12345678.91';
const STORED_AMOUNT = Buffer.from(new Int16Array([1234, 5678, 9100]).buffer);
/** Files of the database that hold what an estimate stores of the amount. */
const holding = () => filesHolding(folder(), [STORED_AMOUNT]);

function folder(): string {
  const { LEDGER_DATA_DIR } = bed.environment;
  if (LEDGER_DATA_DIR === undefined) throw new Error('the service has no folder');
  return LEDGER_DATA_DIR;
}

describe('An erasure before the estimate is stored', () => {
  const MARK = 'mark-erased-before-its-estimate';

  async function recordOne(): Promise<DecisionReceipt> {
    const body = decision({ inputs: { text: MARK }, outputs: { amount: AMOUNT } });
    const headers = { 'idempotency-key': 'one' };
    return dataOf(await client.post('/decisions', body, headers), DecisionReceipt, 201);
  }

  it.each([
    ['before it is read', false],
    ['after it is read and before it is written', true],
  ])('Nothing of what is erased %s is stored anywhere', async (_when, isBetween) => {
    const { decision_id, liability } = await recordOne();
    expect(liability?.parts.amount_at_risk).toBe(AMOUNT);
    const silent = await decide(client, { outputs: {} });
    const eraseAll = async () => void (await erase(client, decision_id, 'inputs', 'outputs'));
    if (!isBetween) await eraseAll();
    const isTaken = await takeStep(
      ledger,
      {
        ...estimateFollower,
        async advance(...read) {
          const step = await estimateFollower.advance(...read);
          if (isBetween) await eraseAll();
          return step;
        },
      },
      { log: 'decisions', after: 0, until: 2, isLast: true },
    );
    expect(isTaken).toBe(!isBetween);
    await storeEstimates(ledger);
    expect(holding()).toEqual([]);
    expect(await rowsOf(bed, scope)).not.toContain(AMOUNT.slice(0, 8));
    const left = await liabilityOf(client, decision_id);
    expect(left.parts).toEqual((await liabilityOf(client, silent.decision_id)).parts);
    expect(await historyOf(client, decision_id)).toEqual([left]);
    const { plain, cells } = await sumsOf(bed, scope);
    expect(cells).toEqual(plain);
    const again = await client.post(
      '/decisions',
      decision({ inputs: { text: MARK }, outputs: { amount: AMOUNT } }),
      { 'idempotency-key': 'one' },
    );
    expect(dataOf(again, DecisionReceipt, 201)).not.toHaveProperty('liability');
    if (!isBetween) return;
    const { code } = await runCommand(['purge'], { ...bed.environment });
    expect(code).toBe(0);
    expect(filesHolding(folder(), [MARK, AMOUNT])).toEqual([]);
  });

  it('A stored estimate holds the amount, which the search of the files finds', async () => {
    const { decision_id } = await recordOne();
    await storeEstimates(ledger);
    expect(holding()).not.toEqual([]);
    await erase(client, decision_id, 'outputs');
    expect((await liabilityOf(client, decision_id)).parts.amount_basis).toBe('matrix');
  });
});
