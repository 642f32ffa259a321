import { ratios, takeTurns } from '../support/figures.js';
import { runLoad } from '../support/load.js';
import { measureLoad, serviceDetails } from '../support/measure.js';
import { verifyDecisions } from '../support/service.js';
import { drain } from '../support/watch.js';

const CONNECTIONS = 64;
const FULL = [1, 2, 4];
const SMOKE = [1, 2];

/** @typedef {import('../support/measure.js').ServiceLoad} ServiceLoad */
/** @typedef {Pick<import('../support/service.js').Service, 'url' | 'figures'>} Process */

/** @typedef {{ title: string, count: number, ledgers: number }} Layout count: of processes */

/** Several processes on one database: single decisions of one ledger, and of as many ledgers as processes. */
export const processes = {
  name: 'processes',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, seconds, warmUp, rounds, smoke }) {
    const counts = smoke ? SMOKE : FULL;
    const most = Math.max(...counts);
    const service = await services.start();
    // The first one does the background work of all, so that the others are idle while they have no connections.
    const others = [];
    while (others.length < most - 1) others.push(await service.another({ LEDGER_ROLE: 'api' }));
    const all = [service, ...others];
    const keys = [await service.createOrganisation('bench')];
    while (keys.length < most) {
      keys.push(await service.createOrganisation(`processes ${keys.length + 1}`));
    }
    const load = {
      what: /** @type {const} */ ('single'),
      url: service.url,
      connections: CONNECTIONS,
    };
    const urls = all.map(({ url }) => url);
    let answered = (await runLoad({ ...load, urls, keys, seconds: warmUp })).answered;
    if (!smoke) for (const key of keys) await drain(service.url, key);
    const layouts = layoutsOf(counts);
    const turns = await takeTurns(
      rounds,
      Object.fromEntries(
        layouts.map(({ title, count, ledgers }) => [
          title,
          async () => {
            const spread = { urls: urls.slice(0, count), keys: keys.slice(0, ledgers) };
            const measured = await measureLoad(together(all), async () => {
              const done = await runLoad({ ...load, ...spread, seconds });
              // The work of followers is counted where it arose, and does not slow the next layout.
              if (!smoke) for (const key of spread.keys) await drain(service.url, key);
              return done;
            });
            answered += measured.answered;
            return measured;
          },
        ]),
      ),
    );
    let records = 0;
    for (const key of keys) records += await verifyDecisions(service.url, key);
    if (records < answered) throw new Error(`${answered} were answered, ${records} are stored`);
    for (const other of others) await other.stop();
    await service.stop();
    const compared = compare(layouts, turns);
    const count = records.toLocaleString('en');
    return {
      ratios: compared.ratios,
      details: [
        ...layouts.flatMap(({ title }) => [
          {
            title: `${title}: POST /decisions`,
            unit: '/s',
            values: turns[title].map(({ perSecond }) => perSecond),
          },
          ...serviceDetails(title, turns[title]),
        ]),
        ...compared.details,
      ],
      notes: [`processes: the chains of ${keys.length} ledgers, ${count} decisions, are valid.`],
    };
  },
};

/** @param {readonly number[]} counts */
function layoutsOf(counts) {
  return counts.flatMap((count) => {
    if (count === 1) return [{ title: '1 process', count, ledgers: 1 }];
    return [
      { title: `${count} processes, one ledger`, count, ledgers: 1 },
      { title: `${count} processes, ${count} ledgers`, count, ledgers: count },
    ];
  });
}

/**
 * The figures of several processes as those of one service.
 * @param {readonly Process[]} all
 */
function together(all) {
  return {
    figures: async () => {
      const each = await Promise.all(all.map(({ figures }) => figures()));
      const sum = (/** @type {'cpuSeconds' | 'groups' | 'decisions'} */ name) =>
        each.reduce((total, figures) => total + figures[name], 0);
      return {
        cpuSeconds: sum('cpuSeconds'),
        groups: sum('groups'),
        decisions: sum('decisions'),
        postgresCpuSeconds: each.at(-1)?.postgresCpuSeconds ?? null,
      };
    },
  };
}

/** @type {{ what: string, isDetail?: boolean, pick: (load: ServiceLoad) => number | null }[]} */
const KINDS = [
  { what: 'decisions a second', pick: ({ perSecond }) => perSecond },
  {
    what: 'CPU of services and PostgreSQL per 1,000',
    pick: ({ cpuPerThousand, postgresCpuPerThousand: postgres }) =>
      postgres === null ? null : cpuPerThousand + postgres,
  },
  { what: 'latency p50', isDetail: true, pick: ({ p50 }) => p50 },
  { what: 'latency p99', isDetail: true, pick: ({ p99 }) => p99 },
];

/**
 * @param {readonly Layout[]} layouts
 * @param {Record<string, ServiceLoad[]>} turns
 */
function compare([one, ...several], turns) {
  const ratiosOf = (/** @type {typeof KINDS[number]} */ { what, pick }) =>
    several.flatMap(({ title }) => {
      const [above, below] = [turns[title], turns[one.title]].map((loads) =>
        loads.map(pick).filter((value) => value !== null),
      );
      if (below.length < turns[title].length) return [];
      return [{ title: `${title} ÷ ${one.title}: ${what}`, values: ratios(above, below) }];
    });
  return {
    ratios: KINDS.filter(({ isDetail }) => !isDetail).flatMap(ratiosOf),
    details: KINDS.filter(({ isDetail }) => isDetail).flatMap(ratiosOf),
  };
}
