import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decide } from '../../support/estimates.js';
import {
  CONSISTENT,
  check,
  contentOf,
  finished,
  jsonOf,
  verdictsOf,
} from '../../support/exports.js';
import { recordEvent } from '../../support/money.js';
import { type Engine, openTestService, type TestService } from '../../support/service.js';

const PASSED = { ...CONSISTENT, authenticity: 'unproven' };

/** Exports of a ledger whose records have their maximum size. */
export function exportsMemorySuite(engine: Engine): void {
  describe(`Memory of exports on ${engine}`, () => {
    let worker: TestService;
    beforeAll(async () => {
      worker = await openTestService(engine, { isWorker: true });
    });
    afterAll(() => worker.close());

    it('Decisions of maximum size are exported in little memory', async () => {
      const own = (await worker.organisation()).live;
      const text = 'ä'.repeat(120_000);
      const large = { inputs: { text }, outputs: { text }, alternatives: [{ text }] };
      for (let n = 0; n < 10; n += 1) await decide(own);
      for (let n = 0; n < 40; n += 1) await decide(own, { ...large, metadata: { n, text } });
      const bundle = await finished(worker, own);
      expect(contentOf(bundle).length).toBeGreaterThan(38e6);
      expect(verdictsOf(await check(bundle))).toEqual(PASSED);
    });

    it('Events of maximum size are exported in little memory', async () => {
      const own = (await worker.organisation()).live;
      const text = '語'.repeat(87_000);
      for (let n = 0; n < 100; n += 1) await recordEvent(own, { metadata: { n, text } });
      const bundle = await finished(worker, own);
      expect(jsonOf<unknown[]>(bundle, 'events.json')).toHaveLength(100);
      expect(verdictsOf(await check(bundle))).toEqual(PASSED);
    });
  });
}
