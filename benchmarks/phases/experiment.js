import { setTimeout } from 'node:timers/promises';
import { fillLinks } from '../support/fill.js';
import { fillExperiment } from '../support/fill-experiment.js';
import { memoryOf } from '../support/measure.js';
import { query } from '../support/sql.js';

/** As many assignments as are analysed at most; a customer has four decisions in the experiment. */
const SIZES = { assignments: 1_000_000, history: 200_000, customers: 250_000, links: 200_000 };
const SMOKE_SIZES = { assignments: 2000, history: 400, customers: 500, links: 800 };
const POLL_MS = 50;

const NAME = 'experiment';

/** Ways to ask for the comparison, each of which is a calculation of its own. */
const QUESTIONS = [
  { name: 'without covariates', query: 'covariates=none', again: false },
  { name: 'with covariates', query: '', again: false },
  { name: 'again, unchanged', query: '', again: true },
  { name: 'each decision its own customer', query: 'customer_key=order_id', again: false },
];

/** The comparison of an experiment of the largest size that is analysed: time, memory, and CPU. */
export const experiment = {
  name: 'experiment',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, smoke }) {
    const sizes = smoke ? SMOKE_SIZES : SIZES;
    const service = await services.start({ LEDGER_ROLE: 'api' });
    try {
      const key = await service.createOrganisation(NAME);
      await fillExperiment(service.databaseUrl, NAME, sizes);
      await fillLinks(service.databaseUrl, NAME, sizes.links);
      await query(service.databaseUrl, 'vacuum (analyze)');
      const measured = [];
      for (const question of QUESTIONS) measured.push(await compare(service, key, question));
      return report(sizes, measured);
    } finally {
      await service.stop();
    }
  },
};

/**
 * @param {import('../support/service.js').Service} service
 * @param {string} key
 * @param {typeof QUESTIONS[number]} question
 */
async function compare({ url, figures }, key, { name, query: text, again }) {
  const [before, idle] = [await figures(), await memoryOf(url)];
  const started = performance.now();
  let peak = idle;
  let answered = false;
  const watch = async () => {
    while (!answered) {
      peak = Math.max(peak, await memoryOf(url));
      await setTimeout(POLL_MS);
    }
  };
  const watching = watch();
  const path = `${url}/api/v1/analytics/experiments/bench?${text}`;
  const data = await ask(path, key).finally(() => {
    answered = true;
  });
  const seconds = (performance.now() - started) / 1000;
  await watching;
  const after = await figures();
  if (data.status !== 'comparable') throw new Error(JSON.stringify(data.reasons));
  return {
    name,
    again,
    seconds,
    idle,
    peak,
    estimator: String(data.estimator),
    cpu: after.cpuSeconds - before.cpuSeconds,
    postgres: (after.postgresCpuSeconds ?? 0) - (before.postgresCpuSeconds ?? 0),
  };
}

/**
 * @param {string} path
 * @param {string} key
 */
async function ask(path, key) {
  const answer = await fetch(path, { headers: { 'x-ledger-key': key } });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${body}`);
  return JSON.parse(body).data;
}

/**
 * @param {typeof SIZES} sizes
 * @param {readonly Awaited<ReturnType<typeof compare>>[]} measured
 * @returns {import('../support/figures.js').PhaseResult}
 */
function report(sizes, measured) {
  const [assignments, history, customers, links] = [
    ...[sizes.assignments, sizes.history, sizes.customers, sizes.links],
  ].map((size) => size.toLocaleString('en'));
  const title = `experiment of ${assignments} decisions`;
  return {
    ratios: [],
    details: measured.flatMap(({ name, again, seconds, idle, peak, cpu, postgres }) => {
      const time = { title: `${title}, ${name}: answer`, unit: 's', values: [seconds] };
      if (again) return [time];
      return [
        time,
        { title: `${title}, ${name}: memory above idle, most`, unit: 'MiB', values: [peak - idle] },
        { title: `${title}, ${name}: CPU of the service`, unit: 's', values: [cpu] },
        { title: `${title}, ${name}: CPU of PostgreSQL`, unit: 's', values: [postgres] },
      ];
    }),
    notes: [
      `The experiment has ${customers} customers, ${links} links and ${history} decisions before it. ` +
        `Estimators: ${measured.map(({ name, estimator }) => `${name} ${estimator}`).join(', ')}.`,
    ],
  };
}
