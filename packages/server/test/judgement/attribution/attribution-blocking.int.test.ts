import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestService, type TestService } from '../../support/service.js';
import {
  at,
  type Desk,
  onlySuggestion,
  openDesk,
  scoreOf,
} from '../../support/suggestions-desk.js';

const ALL = 5000;
/** Few enough that the value still carries information, and more than are compared. */
const CAMPAIGN = 220;
/** The decisions nearest before an event are compared whatever they hold. */
const NEAR = 50;

describe('Candidates among 5,000 decisions', () => {
  let test: TestService;
  let desk: Desk;
  let rare: string;
  let stating: string;

  beforeAll(async () => {
    test = await openTestService('embedded');
    desk = await openDesk(test);
    for (let from = 0; from < ALL; from += 100) {
      const batch = Array.from({ length: 100 }, (_none, offset) => {
        const index = from + offset;
        const metadata = {
          region: 'emea',
          ...(index < CAMPAIGN && { campaign: 'spring' }),
          ...(index === 7 && { order_id: 'RARE-1' }),
        };
        const outputs = index === 9 ? { paid_amount: '8123.47' } : { approved: true };
        return { metadata, outputs, timestamp: at(index / 1000) };
      });
      const ids = await desk.decide(...batch);
      if (from === 0) [rare, stating] = [ids[7] ?? '', ids[9] ?? ''];
    }
    await desk.look();
  });
  afterAll(() => test.close());

  it('A value held by one decision makes it a candidate, and a value held by all makes none', async () => {
    const event = await desk.happen({
      metadata: { region: 'emea', order_id: 'RARE-1' },
      timestamp: at(6),
    });
    await desk.look();
    const link = await onlySuggestion(desk, event);
    expect(link.decision_id).toBe(rare);
    expect(scoreOf(link).candidates).toBe(NEAR + 1);
    expect(link.correlation_strength).toBeGreaterThan(0.5);
  });

  it('At most 150 decisions are compared for a value that is no identifier, and the 50 nearest', async () => {
    await desk.set({
      ...{ suggest_share: 1e-6, suggest_probability: 1e-6 },
      ...{ suggest_recorded: 0, suggest_from_timing: true },
    });
    const event = await desk.happen({ metadata: { campaign: 'spring' }, timestamp: at(6) });
    await desk.look();
    const links = await desk.suggested(event);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(scoreOf(link).candidates).toBe(200);
  });

  it('An event that names nothing finds the decision that states its amount', async () => {
    const event = await desk.happen({ amount: '8123.47', metadata: {}, timestamp: at(6) });
    await desk.look();
    const [first] = await desk.suggested(event);
    if (first === undefined) return expect.unreachable('nothing is suggested');
    expect(first.decision_id).toBe(stating);
    expect(scoreOf(first).candidates).toBe(NEAR + 1);
  });

  it('The number of decisions that hold a value is counted', async () => {
    const rows = await test.service.db.query<{ decisions: number }>(sql`
      select decisions from token_frequencies
      where ledger_id = ${desk.scope.ledgerId} order by decisions desc`);
    expect(rows.map(({ decisions }) => decisions)).toEqual([ALL, CAMPAIGN, 1, 1]);
  });
});
