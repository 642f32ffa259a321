import { emmett, plain, tessera } from '../side-by-side/others.js';
import { bareCpuSeconds } from '../support/bare.js';
import { median, ratios, takeTurns } from '../support/figures.js';
import { runLoad } from '../support/load.js';
import { measureLoad } from '../support/measure.js';
import { postgresCpuSeconds } from '../support/postgres-usage.js';
import { temporaryFolder } from '../support/service.js';
import { checkpoint } from '../support/sql.js';

const CONNECTIONS = 64;
const GOAL = 2.5;
const OURS = 'POST /decisions';

/** @typedef {import('../support/load.js').Load & import('../support/measure.js').Cost} Loaded */
/** @typedef {{ name: string, measured: Pick<import('../support/service.js').Service, 'url' | 'figures'>, stop: () => Promise<void> }} Side */

/** Single decisions ÷ other programs that store the same bodies durably, in turns. */
export const sideBySide = {
  name: 'side-by-side',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ postgres, services, seconds, warmUp, rounds, smoke }) {
    /** @type {string[]} */
    const notes = [];
    /** @type {Side[]} */
    const others = [];
    // The packages of the others take longer to install than a short run takes.
    for (const other of smoke ? [plain] : [plain, emmett, tessera]) {
      const folder = temporaryFolder();
      const failure = await other.install(folder).then(() => null, firstLine);
      if (failure === null) others.push(await openOther(postgres(), other, folder));
      else notes.push(`SKIPPED in side-by-side: ${other.name} cannot be installed: ${failure}`);
    }
    const service = await services.start({ LEDGER_ROLE: 'api' });
    const key = await service.createOrganisation('bench');
    const ours = { name: OURS, measured: service, stop: service.stop };
    const load = { what: /** @type {const} */ ('single'), key, connections: CONNECTIONS };
    for (const { measured } of [ours, ...others]) {
      await runLoad({ ...load, url: measured.url, seconds: warmUp });
    }
    const sides = [ours, ...others].map(({ name, measured }) => [
      name,
      async () => {
        await checkpoint(service.databaseUrl);
        return measureLoad(measured, () => runLoad({ ...load, url: measured.url, seconds }));
      },
    ]);
    /** @type {Record<string, Loaded[]>} */
    const turns = await takeTurns(rounds, Object.fromEntries(sides));
    for (const { stop } of [ours, ...others]) await stop();
    return report(turns, notes);
  },
};

/**
 * @param {import('../../packages/server/test/support/postgres-server.js').PostgresServer} server
 * @param {import('../side-by-side/others.js').Other} other
 * @param {import('../side-by-side/others.js').Folder} folder
 * @returns {Promise<Side>}
 */
async function openOther(server, { name, start }, folder) {
  const database = await server.createDatabase();
  const running = await start(folder, database.url);
  const figures = async () => ({
    cpuSeconds: await bareCpuSeconds(running.url),
    postgresCpuSeconds: postgresCpuSeconds(server),
    groups: 0,
    decisions: 0,
  });
  const stop = async () => {
    await running.stop();
    await database.drop();
    folder.remove();
  };
  return { name, measured: { url: running.url, figures }, stop };
}

/**
 * @param {Record<string, Loaded[]>} turns of the service first
 * @param {readonly string[]} notes
 * @returns {import('../support/figures.js').PhaseResult}
 */
function report(turns, notes) {
  const { [OURS]: ours, ...others } = turns;
  const rate = (/** @type {readonly Loaded[]} */ loads) => loads.map(({ perSecond }) => perSecond);
  const byRate = Object.entries(others).sort(
    ([, one], [, two]) => median(rate(two)) - median(rate(one)),
  );
  const compared = byRate.map(([name, loads]) => ({
    title: `${OURS} ÷ ${name}`,
    values: ratios(rate(ours), rate(loads)),
  }));
  const [[fastest], [first]] = [byRate, compared];
  return {
    ratios: [
      { title: `${OURS} ÷ the fastest of the others`, values: first.values, goal: GOAL },
      ...compared,
    ],
    details: Object.entries(turns).flatMap(([name, loads]) =>
      rowsOf(`Side by side, ${name}`, loads),
    ),
    notes: [...notes, `side-by-side: the fastest of the others is ${fastest[0]}.`],
  };
}

/**
 * @param {string} name
 * @param {readonly Loaded[]} loads
 */
function rowsOf(name, loads) {
  const line = (
    /** @type {string} */ what,
    /** @type {string} */ unit,
    /** @type {(load: Loaded) => number | null} */ pick,
  ) => ({
    title: `${name}: ${what}`,
    unit,
    values: loads.map(pick).filter((value) => value !== null),
  });
  return [
    line('requests', '/s', ({ perSecond }) => perSecond),
    line('latency p50', 'ms', ({ p50 }) => p50),
    line('latency p99', 'ms', ({ p99 }) => p99),
    line('CPU of the server per 1,000', 's', ({ cpuPerThousand }) => cpuPerThousand),
    line('CPU of PostgreSQL per 1,000', 's', (load) => load.postgresCpuPerThousand),
  ].filter(({ values }) => values.length > 0);
}

/** @param {unknown} error */
function firstLine(error) {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0];
}
