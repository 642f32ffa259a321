import { DecisionBatchReceipt } from '@decision-ledger/contract/decision';
import fc from 'fast-check';
import { storeEstimates } from '#server/domains/judgement/liability/index';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf, decision } from '../../support/client.js';
import { link, recordEvent } from '../../support/money.js';
import type { TestService } from '../../support/service.js';
import { withOwner } from '../../support/stored-jobs.js';

export const HOUR = 3_600_000;
/** Four hours before the start of a day, a week and a month: 2025-12-01 is a Monday. */
export const START = Date.UTC(2025, 10, 30, 20);
export const SPAN = 8 * HOUR;
export const DECISIONS = 240;

/** Decisions and losses slightly out of order; many at the full hour or a millisecond from it. */
export async function fill(to: Client): Promise<void> {
  const random = fc.sample(
    fc.record({
      at: fc.oneof(
        fc.nat({ max: SPAN - 1 }),
        fc.tuple(fc.nat({ max: 7 }), fc.integer({ min: -1, max: 1 })).map(([hour, by]) => {
          return Math.max(0, hour * HOUR + by);
        }),
      ),
      agent: fc.nat({ max: 2 }),
      type: fc.nat({ max: 1 }),
      confidence: fc.integer({ min: 0, max: 1000 }),
      human: fc.boolean(),
      reviewer: fc.boolean(),
      amount: fc.integer({ min: 1, max: 99_999 }),
    }),
    { numRuns: DECISIONS, seed: 5 },
  );
  const ids: string[] = [];
  for (let done = 0; done < DECISIONS; done += 80) {
    const decisions = random.slice(done, done + 80).map((one) =>
      decision({
        ...{ agent_id: `agent-${one.agent}`, action_type: `action-${one.type}` },
        ...{ confidence: one.confidence / 1000, human_in_loop: one.human },
        ...(one.reviewer && { metadata: { reviewer_id: 'r' } }),
        outputs: { amount: one.amount },
        timestamp: new Date(START + one.at).toISOString(),
      }),
    );
    const answer = await to.post('/decisions/batch', { decisions });
    ids.push(...dataOf(answer, DecisionBatchReceipt, 201).decisions.map((one) => one.decision_id));
  }
  for (const id of ids.slice(0, 20)) {
    const { id: event } = await recordEvent(to, { amount: '12.34' });
    await to.post('/links', link(id, event, { link_type: 'loss', correlation_strength: 1 }));
  }
}

/** Up to where estimates are stored and summed. */
export const states = fc.record({
  rolledSeq: fc.oneof(fc.constantFrom(0, DECISIONS), fc.nat({ max: DECISIONS })),
});
export type State = typeof states extends fc.Arbitrary<infer Value> ? Value : never;

/** The first decisions are stored and summed; of the others, those whose estimates a link changed are stored. */
export async function setState(
  bed: TestService,
  scope: Scope,
  { rolledSeq }: State,
): Promise<void> {
  await withOwner(bed, async (owner) => {
    await owner.query(
      `delete from follower_positions where ledger_id = $1 and follower = 'estimates'`,
      [scope.ledgerId],
    );
  });
  await storeEstimates(bed.service.db.ledger(scope));
  await withOwner(bed, async (owner) => {
    await owner.query(
      'delete from liability_estimates where ledger_id = $1 and seq > $2 and revision = 0',
      [scope.ledgerId, rolledSeq],
    );
    await owner.query('delete from exposure_cells where ledger_id = $1', [scope.ledgerId]);
    await owner.query(
      `insert into exposure_cells (ledger_id, hour, agent_id, action_type, variant, decisions, denied,
        confidence, overseen, exposure, realised, squares, stake, unconverted, events, event_squares,
        sizes)
      select ledger_id, to_timestamp(floor(extract(epoch from "timestamp") / 3600) * 3600),
        agent_id, action_type, variant, count(*), sum(denied::integer), sum(confidence),
        sum(case when oversight = 'none' then 0 else 1 end), sum(exposure), sum(realised),
        sum(power(exposure - realised, 2)), sum(stake), sum(unconverted), sum(events),
        sum(power(events, 2)), sum(sizes)
      from liability_estimates where ledger_id = $1 and seq <= $2 group by 1, 2, 3, 4, 5`,
      [scope.ledgerId, rolledSeq],
    );
    await owner.query(
      `insert into follower_positions (ledger_id, follower, log, seq)
      values ($1, 'estimates', 'decisions', $2)
      on conflict (ledger_id, follower, log) do update set seq = excluded.seq`,
      [scope.ledgerId, rolledSeq],
    );
  });
}
