import { DecisionPage } from '@decision-ledger/contract/decision';
import { LiabilityBacktest, LiabilityModelFigures } from '@decision-ledger/contract/liability';
import { expect } from 'vitest';
import { runNightly } from '#server/domains/judgement/liability/nightly-run';
import { dataOf, expectRefusal } from '../../support/client.js';
import { databaseAt } from '../../support/own-database.js';
import type { TestService } from '../../support/service.js';
import { withOwner } from '../../support/stored-jobs.js';
import { type Case, expectNothingOf, type Ledger } from './isolation-ledger.js';

/** The cases of the routes that show what the liability model learned and forecast. */
export const LIABILITY_CASES: Readonly<Record<string, Case>> = {
  'GET /api/v1/analytics/liability/model': showsOwnModel,
  'GET /api/v1/analytics/liability/backtest': testsOwnForecasts,
};

const YEAR_MS = 366 * 86_400_000;
const learned = new Map<string, Promise<void>>();

/** 1 to 4: the ledgers have different snapshots, and forecasts of different months. */
function numberOf({ mark, mode }: Ledger): number {
  const organisation = Number(/[0-9]+/.exec(mark)?.[0]);
  return organisation * 2 + (mode === 'live' ? 1 : 2);
}

const snapshotOf = (ledger: Ledger) => numberOf(ledger) * 1000;
const monthOf = (ledger: Ledger) => `2020-0${numberOf(ledger)}`;

/** Learns from the decisions of a ledger, once, at a time when all are mature. */
function learn(ledger: Ledger, bed: TestService): Promise<void> {
  const known = learned.get(ledger.mark) ?? runLater(ledger);
  learned.set(ledger.mark, known);
  return known;

  async function runLater({ scope, receipts }: Ledger) {
    const recorded = receipts.map(({ created_at }) => Date.parse(created_at));
    const later = Math.max(bed.clock.now(), ...recorded) + YEAR_MS;
    const db = databaseAt(bed.service.db, { now: () => later });
    await runNightly(db.ledger(scope), bed.service, new AbortController().signal);
    await withOwner(bed, async (owner) => {
      await owner.query(
        `insert into liability_snapshots (ledger_id, snapshot_id, version, currency, settings,
          rates, experience, taken_at)
        select ledger_id, $2, version, currency, settings, rates, experience, taken_at
        from liability_snapshots where ledger_id = $1 order by snapshot_id desc limit 1`,
        [scope.ledgerId, snapshotOf(ledger)],
      );
      await owner.query(
        `insert into liability_forecasts (ledger_id, month, made_at, snapshot_id, currency, basis,
          decisions, expected, low90, high90, var95, es95)
        values ($1, $2, now(), $3, 'USD', 'prior', 0, 1, 1, 1, 1, 1)`,
        [scope.ledgerId, `${monthOf(ledger)}-01`, snapshotOf(ledger)],
      );
    });
  }
}

/** The other ledger's action type is as unknown here as one that nobody uses. */
async function showsOwnModel(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  await learn(own, bed);
  await learn(foreign, bed);
  const read = (query: string) => own.client.get(`/analytics/liability/model?${query}`);
  const answer = await read(`action_type=${own.mark}`);
  expectNothingOf(foreign, answer.text);
  const mine = dataOf(answer, LiabilityModelFigures);
  expect(mine.variants.map(({ agent_id }) => agent_id)).toEqual([own.mark]);
  const decisions = mine.variants.flatMap(({ outcomes }) => outcomes.map((one) => one.decisions));
  const listed = await own.client.get(`/decisions?action_type=${own.mark}&limit=500`);
  const { decisions: all } = dataOf(listed, DecisionPage);
  expect(decisions.reduce((sum, some) => sum + some, 0)).toBe(all.length);
  const theirs = dataOf(await read(`action_type=${foreign.mark}`), LiabilityModelFigures);
  const unknown = dataOf(await read('action_type=nobody'), LiabilityModelFigures);
  expect(theirs).toEqual({ ...unknown, action_type: foreign.mark });
  expect(theirs.variants).toEqual([]);

  expect(mine.snapshot).toBe(snapshotOf(own));
  const path = `/analytics/liability/model?action_type=${foreign.mark}`;
  const stored = `${path}&snapshot=${snapshotOf(foreign)}`;
  dataOf(await foreign.client.get(stored), LiabilityModelFigures);
  expectRefusal(await own.client.get(stored), 'not_found');
}

/** Only the own forecasts are tested, and only by the own agents. */
async function testsOwnForecasts(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  await learn(own, bed);
  await learn(foreign, bed);
  const answer = await own.client.get('/analytics/liability/backtest');
  expectNothingOf(foreign, answer.text);
  const { months, agents } = dataOf(answer, LiabilityBacktest);
  expect(months.map(({ month }) => month)).toEqual([monthOf(own)]);
  expect(agents.map(({ agent_id }) => agent_id)).toContain(own.mark);
}
