import { setTimeout } from 'node:timers/promises';
import { questions, timeAnswers } from '../support/answers.js';
import { fillDistinct, fillLinks } from '../support/fill.js';
import { runLoad } from '../support/load.js';
import { memoryOf } from '../support/measure.js';
import { query } from '../support/sql.js';

const SIZES = { decisions: 1_000_000, links: 100_000 };
const SMOKE_SIZES = { decisions: 600, links: 60 };
const SPAN_MS = 90 * 24 * 3_600_000;
const POLL_MS = 200;
const NAME = 'liability';
/** Few concurrent requests: their latency matters, not their number. */
const CONNECTIONS = 4;
const RUN = { seconds: 60, kills: 1 };
const SMOKE_RUN = { seconds: 0, kills: 0 };
/** Number of requests per analysis. */
const ASKED = 100;

/**
 * The nightly run over a large ledger: its duration, its memory and its effect on requests; then the
 * speed of analyses of that ledger.
 */
export const liability = {
  name: 'liability',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, seconds, smoke }) {
    const sizes = smoke ? SMOKE_SIZES : SIZES;
    const service = await services.start({ LEDGER_ROLE: 'api' });
    const key = await service.createOrganisation(NAME);
    await fillDistinct(service, key, sizes.decisions, 1, SPAN_MS);
    await fillLinks(service.databaseUrl, NAME, sizes.links);
    await query(service.databaseUrl, 'vacuum (analyze)');
    const load = { what: /** @type {const} */ ('single'), url: service.url, key };
    const quiet = await runLoad({ ...load, connections: CONNECTIONS, seconds, timestamps: false });
    const run = await measureRun(service, load, smoke ? SMOKE_RUN : RUN);
    await query(service.databaseUrl, 'vacuum (analyze)');
    const answers = [];
    for (const question of questions()) {
      await timeAnswers(service.url, key, question, 3);
      const times = await timeAnswers(service.url, key, question, smoke ? 3 : ASKED);
      answers.push({ name: question.name, ...times });
    }
    await service.stop();
    return report(sizes, quiet, run, answers);
  },
};

/**
 * A run while decisions are recorded. The worker is killed halfway and restarted.
 * @param {import('../support/service.js').Service} service
 * @param {Omit<import('../support/load.js').LoadTask, 'connections'>} load
 * @param {typeof RUN} how
 */
async function measureRun(service, load, { seconds, kills }) {
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  const record = () => runLoad({ ...load, connections: CONNECTIONS, seconds, timestamps: false });
  let worker = await service.another({ LEDGER_ROLE: 'worker' });
  const memory = [];
  let [learned, killed] = [0, 0];
  /** @type {ReturnType<typeof runLoad> | undefined} */
  let busy;
  for (let state = await readState(service); !state.done; state = await readState(service)) {
    if (state.after > 0 && busy === undefined) {
      learned = elapsed();
      busy = record();
    }
    memory.push(await memoryOf(worker.url));
    if (killed < kills && state.after * 2 >= state.until) {
      await worker.kill();
      worker = await service.another({ LEDGER_ROLE: 'worker' });
      killed += 1;
    }
    await setTimeout(POLL_MS);
  }
  const all = elapsed();
  // A short run is over before it was seen.
  const during = await (busy ?? record());
  await worker.stop();
  const [reported] = await query(
    service.databaseUrl,
    `select count(*)::int as all, count(distinct (data::json ->> 'decision_id',
       data::json ->> 'revision'))::int as distinct, max(seq)::int as last from announcements`,
  );
  return { learned, seconds: all, memory, during, reported };
}

/**
 * @param {import('../support/service.js').Service} service
 * @returns {Promise<{ after: number, until: number, done: boolean }>}
 */
async function readState({ databaseUrl }) {
  const [state] = await query(
    databaseUrl,
    `select run_after_seq::int as after, run_until_seq::int as until,
       completed_day is not null as done
     from liability_states s join ledgers l using (ledger_id) join organisations o using (org_id)
     where l.mode = 'live' and o.name = $1`,
    [NAME],
  );
  return state ?? { after: 0, until: 1, done: false };
}

/**
 * @param {typeof SIZES} sizes
 * @param {import('../support/load.js').Load} quiet
 * @param {Awaited<ReturnType<typeof measureRun>>} run
 * @param {readonly { name: string, p50: number, p99: number }[]} answers
 * @returns {import('../support/figures.js').PhaseResult}
 */
function report(sizes, quiet, { learned, seconds, memory, during, reported }, answers) {
  const [decisions, links] = [sizes.decisions, sizes.links].map((size) =>
    size.toLocaleString('en'),
  );
  const early = memory.slice(0, Math.max(1, Math.floor(memory.length / 4)));
  const title = `nightly run over ${decisions} decisions`;
  const figure = (
    /** @type {string} */ what,
    /** @type {string} */ unit,
    /** @type {number} */ value,
  ) => ({
    title: `${title}: ${what}`,
    unit,
    values: [value],
  });
  return {
    ratios: [
      {
        title: `POST /decisions p99 during the nightly run ÷ before it`,
        values: [during.p99 / quiet.p99],
      },
    ],
    details: [
      figure('all of it, with one kill -9 half way', 's', seconds),
      figure('until it had learned from all of them', 's', learned),
      figure('memory of the worker, first quarter, most', 'MiB', Math.max(...early)),
      figure('memory of the worker, most', 'MiB', Math.max(...memory)),
      {
        title: 'POST /decisions during the run: p99',
        unit: 'ms',
        values: [during.p99],
      },
      {
        title: 'POST /decisions during the run: p50',
        unit: 'ms',
        values: [during.p50],
      },
      { title: 'POST /decisions before: p99', unit: 'ms', values: [quiet.p99] },
      ...answers.flatMap(({ name, p50, p99 }) => [
        { title: `analytics, ${name}: p50`, unit: 'ms', values: [p50] },
        { title: `analytics, ${name}: p99`, unit: 'ms', values: [p99] },
      ]),
    ],
    notes: [
      `Analyses are of ${decisions} decisions and ${links} links.`,
      `The nightly run reported ${reported.all.toLocaleString('en')} changes, ` +
        `${reported.distinct.toLocaleString('en')} of them different, numbered up to ` +
        `${reported.last.toLocaleString('en')}.`,
    ],
  };
}
