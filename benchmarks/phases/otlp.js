import { ratios, takeTurns } from '../support/figures.js';
import { BATCH, runLoad } from '../support/load.js';
import { measureService, serviceDetails } from '../support/measure.js';
import { SPANS } from '../support/traces.js';

const CONNECTIONS = 4;
const GOAL = 10_000;

export const otlp = {
  name: 'otlp',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, seconds, warmUp, rounds }) {
    const service = await services.start({ LEDGER_ROLE: 'api' });
    const key = await service.createOrganisation('bench');
    await setMapping(service.url, key);
    const load = { url: service.url, key, connections: CONNECTIONS, seconds };
    const some = { ...load, what: /** @type {const} */ ('traces') };
    const all = { ...load, what: /** @type {const} */ ('tool-traces') };
    const batches = { ...load, what: /** @type {const} */ ('keyed-batch') };
    await runLoad({ ...some, seconds: warmUp });
    const turns = await takeTurns(rounds, {
      some: () => measureService(service, some),
      all: () => measureService(service, all),
      batches: () => measureService(service, batches),
    });
    await service.stop();
    const spans = (/** @type {{ perSecond: number }[]} */ loads) =>
      loads.map(({ perSecond }) => perSecond * SPANS);
    const ofGoal = spans(turns.some).map((value) => value / GOAL);
    const batched = turns.batches.map(({ perSecond }) => perSecond * BATCH);
    return {
      ratios: [
        { title: 'OTLP spans a second, 1 in 10 a decision ÷ 10,000', values: ofGoal, goal: 1 },
        {
          title: 'OTLP, every span a decision ÷ decisions in batches with keys',
          values: ratios(spans(turns.all), batched),
          goal: 0.8,
        },
      ],
      details: [
        { title: 'OTLP, 1 span in 10 a decision', unit: 'spans/s', values: spans(turns.some) },
        { title: 'OTLP, every span a decision', unit: 'spans/s', values: spans(turns.all) },
        { title: 'Decisions in batches with keys', unit: '/s', values: batched },
        ...serviceDetails('OTLP, 1 in 10', turns.some),
        ...serviceDetails('OTLP, every span', turns.all),
      ],
      notes: [`A request has ${SPANS} spans in protobuf with gzip, on ${CONNECTIONS} connections.`],
    };
  },
};

/**
 * @param {string} url
 * @param {string} key
 */
async function setMapping(url, key) {
  const answer = await fetch(`${url}/api/v1/settings`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'x-ledger-key': key },
    body: JSON.stringify({ otlp: { preset: 'gen_ai_1.45' } }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
