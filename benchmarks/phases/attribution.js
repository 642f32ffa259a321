import { setTimeout } from 'node:timers/promises';
import { fillDistinct } from '../support/fill.js';
import { importEvents, paymentFor } from '../support/payments.js';
import { query } from '../support/sql.js';

const SIZES = { small: 10_000, large: 1_000_000, events: 10_000 };
/** Of one size, which is measured once. */
const SMOKE_SIZES = { small: 100, large: 100, events: 20 };
const POLL_MS = 50;

/** The speed of finding suggested links, and how it scales with the size of the ledger. */
export const attribution = {
  name: 'attribution',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, smoke }) {
    const sizes = smoke ? SMOKE_SIZES : SIZES;
    const small = await measure(services, sizes.small, sizes.events);
    const large =
      sizes.large === sizes.small ? small : await measure(services, sizes.large, sizes.events);
    const [few, many] = [sizes.small, sizes.large].map((size) => size.toLocaleString('en'));
    const events = sizes.events.toLocaleString('en');
    return {
      ratios: [
        {
          title: `time per event, ${events} events: ${many} decisions ÷ ${few}`,
          values: [small.eventsPerSecond / large.eventsPerSecond],
        },
      ],
      details: [
        rate(`events correlated against ${many} decisions`, large.eventsPerSecond),
        rate(`events correlated against ${few} decisions`, small.eventsPerSecond),
        rate(`features extracted from ${many} decisions`, large.decisionsPerSecond),
      ],
      notes: [
        `Of ${events} events ${large.suggested.toLocaleString('en')} were given a suggestion ` +
          `against ${many} decisions, ${small.suggested.toLocaleString('en')} against ${few}.`,
      ],
    };
  },
};

/**
 * @param {string} title
 * @param {number} value
 */
const rate = (title, value) => ({ title, unit: '/s', values: [value] });

/**
 * Imports decisions and one event, and lets a worker extract the features. The tables are vacuumed, as
 * autovacuum would do; then the events are imported, and another worker processes them.
 * @param {import('../run.js').Bench['services']} services
 * @param {number} decisions
 * @param {number} wanted number of events
 */
async function measure(services, decisions, wanted) {
  const service = await services.start({ LEDGER_ROLE: 'api' });
  const key = await service.createOrganisation('bench');
  const causes = await fillDistinct(service, key, decisions, wanted);
  const events = causes.map((cause, at) =>
    paymentFor(cause, at, {
      external_id: `pay_${decisions}_${at}`,
      timestamp: new Date().toISOString(),
    }),
  );
  await importEvents(service, 'bench', events.slice(0, 1));
  const extraction = await timeOfWorker(service);
  await query(service.databaseUrl, 'vacuum (analyze)');
  await importEvents(service, 'bench', events.slice(1));
  const correlation = await timeOfWorker(service);
  const [{ suggested }] = await query(
    service.databaseUrl,
    'select count(distinct event_id)::int as suggested from links',
  );
  await service.stop();
  return {
    decisionsPerSecond: decisions / extraction,
    eventsPerSecond: (events.length - 1) / correlation,
    suggested,
  };
}

/**
 * @param {import('../support/service.js').Service} service
 * @returns {Promise<number>} seconds until a worker has processed all events
 */
async function timeOfWorker(service) {
  const worker = await service.another({ LEDGER_ROLE: 'worker' });
  const started = performance.now();
  await until(
    service.databaseUrl,
    `select not exists (select from due_work where follower = 'suggestions') as done`,
  );
  const seconds = (performance.now() - started) / 1000;
  await worker.stop();
  return seconds;
}

/**
 * @param {string} url
 * @param {string} statement with a column `done`
 * @param {unknown[]} [values]
 */
async function until(url, statement, values) {
  for (;;) {
    const [{ done }] = await query(url, statement, values);
    if (done) return;
    await setTimeout(POLL_MS);
  }
}
