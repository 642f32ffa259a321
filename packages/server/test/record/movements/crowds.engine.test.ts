import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertKeys, selectTipped } from '#server/domains/record/movements/store/money-keys';
import { runs } from '../../../../proof/test/support/runs.js';
import { describeEngine } from '../../support/engine.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';

const HOUR = 3_600_000;
const WITHIN = 96 * HOUR;

/** Some events at days and hours: those that came, and those that were there before. */
const crowds = fc.record({
  most: fc.constantFrom(3, 8, 25),
  before: fc.array(fc.nat(480), { minLength: 1, maxLength: 60 }),
  come: fc.array(fc.nat(480), { minLength: 1, maxLength: 4 }),
});

describeEngine((engine) => {
  let bed: TestService;

  beforeAll(async () => {
    bed = await openTestService(engine);
  });
  afterAll(() => bed.close());

  it('Each event that is in a crowd because of others that came, or in none since they went, is found', async () => {
    const { live } = await bed.organisation();
    const ledger = bed.service.db.ledger(await scopeOf(bed, live));
    let key = 0;
    await fc.assert(
      fc.asyncProperty(crowds, async ({ most, before, come }) => {
        key += 1;
        const rows = [...before, ...come].map((hour, n) => ({
          ...{ key: String(key), timestamp: hour * HOUR },
          event_id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
        }));
        const [old, added] = [rows.slice(0, before.length), rows.slice(before.length)];
        const search = ({ timestamp }: (typeof rows)[number]) => ({
          ...{ key: String(key), timestamp, within: WITHIN, most, changes: come.length },
        });
        const isCrowded = (one: (typeof rows)[number], all: typeof rows) =>
          all.filter(({ timestamp }) => Math.abs(timestamp - one.timestamp) <= WITHIN).length >
          most;
        const tipped = old.filter((one) => isCrowded(one, old) !== isCrowded(one, rows));
        // Before they come, they have gone.
        for (const stored of [old, added]) {
          await ledger.write((tx) => insertKeys(tx, stored));
          const found = await selectTipped(ledger, added.map(search));
          expect(found).toEqual(expect.arrayContaining(tipped.map(({ event_id }) => event_id)));
        }
      }),
      { seed: 2026, numRuns: runs(40) },
    );
  });
});
