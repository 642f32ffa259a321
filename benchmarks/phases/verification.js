import { runTask } from '../support/children.js';
import { fill } from '../support/fill.js';

export const verification = {
  name: 'verification',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, rounds, smoke }) {
    const records = smoke ? 500 : 120_000;
    const service = await services.start();
    const key = await service.createOrganisation('bench');
    await fill(service, key, records);
    const task = { databaseUrl: service.databaseUrl, rounds, records };
    /** @type {import('../support/verify-process.js').TimedWalk[]} */
    const walks = await runTask(new URL('../support/verify-process.js', import.meta.url), task);
    await service.stop();
    const title = 'Full verification, records a CPU second of the verifying process';
    const perSecond = walks.map((walk) => walk.records / walk.wallSeconds);
    return {
      ratios: [
        { title, values: walks.map((walk) => walk.records / walk.cpuSeconds), goal: 150_000 },
      ],
      details: [
        { title: 'Full verification by the clock', unit: 'records/s', values: perSecond },
        {
          title: 'Full verification: cores in use by the verifying process',
          values: walks.map((walk) => walk.cpuSeconds / walk.wallSeconds),
        },
      ],
      notes: [
        `Verification walks ${records.toLocaleString('en')} records, after a walk to warm up.`,
      ],
    };
  },
};
