import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROJECTIONS } from '#server/domains/evidence/rebuild/index';
import { reconcileWithHistory } from '#server/domains/evidence/reconciliation/index';
import { isThorough } from '../../../../proof/test/support/runs.js';
import { seeded } from '../../../../proof/test/support/seeded.js';
import { describeEngine } from '../../support/engine.js';
import { rebuilt } from '../../support/rebuilt.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';
import { actionsOf } from './support/full-ledger.js';
import { ACTIONS, type RandomLedger } from './support/random-actions.js';

const STEPS = 80;

describeEngine((engine) => {
  let bed: TestService;
  beforeAll(async () => {
    bed = await openTestService(engine);
  });
  afterAll(() => bed.close());

  async function openLedger(seed: number): Promise<RandomLedger> {
    const { live } = await bed.organisation();
    await live.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
    const actions = actionsOf(bed, live, await scopeOf(bed, live));
    const ledger = { bed, actions, random: seeded(seed), decisions: [] };
    for (let n = 0; n < 4; n += 1) await ACTIONS.decide?.(ledger);
    await ACTIONS.record?.(ledger);
    return ledger;
  }

  it.for(isThorough ? [1, 2, 3, 4, 5] : [1])(
    'Nothing that the service does makes its tables differ from its activity, seed %i',
    async (seed) => {
      const ledger = await openLedger(seed);
      const names = Object.keys(ACTIONS);
      const done = new Set<string>();
      for (let step = 0; step < STEPS; step += 1) {
        const name = names[Math.floor(ledger.random() * names.length)] ?? '';
        await ACTIONS[name]?.(ledger);
        done.add(name);
        const { findings } = await reconcileWithHistory(
          bed.service.db.ledger(ledger.actions.scope),
        );
        expect(findings, `step ${step}: ${name}`).toEqual([]);
      }
      expect(done.size).toBeGreaterThan(names.length / 2);
      const own = bed.service.db.ledger(ledger.actions.scope);
      for (const projection of PROJECTIONS) {
        const { differences } = await rebuilt(own, projection);
        expect(differences, projection.name).toEqual([]);
      }
    },
  );

  it('Tables that are written while they are compared agree with their activity', async () => {
    const ledger = await openLedger(7);
    const busy = ['decide', 'record', 'link', 'correct', 'suggest', 'confirm', 'forget', 'issue'];
    let isDone = false;
    const write = async () => {
      for (let step = 0; step < 120; step += 1)
        await ACTIONS[busy[step % busy.length] ?? '']?.(ledger);
      isDone = true;
    };
    const compare = async () => {
      let rounds = 0;
      while (!isDone) {
        const { findings } = await reconcileWithHistory(
          bed.service.db.ledger(ledger.actions.scope),
        );
        expect(findings).toEqual([]);
        rounds += 1;
      }
      expect(rounds).toBeGreaterThan(0);
    };
    await Promise.all([write(), compare()]);
  });
});
