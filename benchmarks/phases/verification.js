import process from 'node:process';
import { runTask } from '../support/children.js';
import { ratios } from '../support/figures.js';
import { fill } from '../support/fill.js';

/** Newer releases hash with less effort for each call. */
const GOAL = Number.parseInt(process.versions.node, 10) >= 24 ? 0.58 : 0.47;

export const verification = {
  name: 'verification',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, rounds, smoke }) {
    const records = smoke ? 500 : 120_000;
    const service = await services.start({ LEDGER_ROLE: 'api' });
    const key = await service.createOrganisation('bench');
    await fill(service, key, records);
    const task = {
      databaseUrl: service.databaseUrl,
      organisation: 'bench',
      ...{ rounds, records },
    };
    /** @type {import('../support/verify-process.js').TimedWalk[]} */
    const walks = await runTask(new URL('../support/verify-process.js', import.meta.url), task);
    await service.stop();
    const perSecond = walks.map((walk) => walk.records / walk.wallSeconds);
    const perCpuSecond = walks.map((walk) => walk.records / walk.cpuSeconds);
    const hashed = walks.map((walk) => walk.hashedPerCpuSecond);
    const floor = walks.map((walk) => walk.floorPerCpuSecond);
    const title =
      'Full verification ÷ SHA-256 alone over the same stored bytes, records a CPU second';
    return {
      ratios: [
        { title, values: ratios(perCpuSecond, hashed), goal: GOAL },
        {
          title: 'The hashes that the format requires, and nothing else ÷ SHA-256 alone',
          values: ratios(floor, hashed),
        },
      ],
      details: [
        { title: 'Full verification', unit: 'records/CPU-s', values: perCpuSecond },
        { title: 'SHA-256 alone', unit: 'records/CPU-s', values: hashed },
        { title: 'The hashes that the format requires', unit: 'records/CPU-s', values: floor },
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
