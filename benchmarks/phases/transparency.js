import { setTimeout } from 'node:timers/promises';
import { runTask } from '../support/children.js';
import { ratios, takeTurns } from '../support/figures.js';
import { runLoad } from '../support/load.js';
import { measureService } from '../support/measure.js';
import { checkpoint, query } from '../support/sql.js';

const SIGNING = new URL('../support/signing-process.js', import.meta.url);
const CONNECTIONS = 16;
/** Decisions whose proofs are read, evenly spaced. */
const PROVEN = 7;
const SMOKE_PROVEN = 2;
/** How often rounds are signed while appends are measured, in ms: 300 times as often as by default. */
const ROUND_MS = 1000;
/** Until the process that signs is up, in ms. */
const STARTING_MS = 1500;

export const transparency = {
  name: 'transparency',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, seconds, warmUp, rounds, smoke }) {
    const records = smoke ? 600 : 1_000_000;
    const service = await services.start();
    const receipts = await compareReceipts(service, { seconds, warmUp, rounds });
    const appends = await compareRounds(service, { seconds, warmUp, rounds });
    const key = await service.createOrganisation('transparency');
    await fillRows(service.databaseUrl, 'transparency', records);
    await query(service.databaseUrl, 'vacuum (analyze) decisions');
    await checkpoint(service.databaseUrl);
    const task = {
      environment: service.environment,
      name: 'transparency',
      records,
      wanted: smoke ? SMOKE_PROVEN : PROVEN,
    };
    /** @type {import('../support/signing-process.js').FirstRound} */
    const first = await runTask(SIGNING, { ...task, task: 'first' });
    const load = { what: /** @type {const} */ ('page'), url: service.url, key, connections: 1 };
    const proofs = [];
    for (const id of first.decisions) {
      const path = `/api/v1/decisions/${id}/proof`;
      proofs.push((await runLoad({ ...load, path, seconds: Math.min(seconds, 2) })).p50);
    }
    await service.stop();
    const count = records.toLocaleString('en');
    return {
      ratios: [
        receipts.ratio,
        appends,
        {
          title: `Proof of a decision among ${count}: latency p50, ms`,
          values: proofs,
          goal: 20,
          goalIs: 'most',
        },
        {
          title: `First round over ${count} records, leaves/s`,
          values: [records / first.seconds],
          goal: 150_000,
        },
      ],
      details: receipts.details,
      notes: [
        'transparency: the rows of the large ledger were written by SQL, not by the service.',
      ],
    };
  },
};

/**
 * The same requests with and without a signed receipt.
 * @param {import('../support/service.js').Service} service
 * @param {{ seconds: number, warmUp: number, rounds: number }} scale
 */
async function compareReceipts(service, { seconds, warmUp, rounds }) {
  const key = await service.createOrganisation('receipts');
  const { url } = service;
  const load = { what: /** @type {const} */ ('single'), url, key, connections: CONNECTIONS };
  const prefer = 'receipt=signed';
  await runLoad({ ...load, seconds: warmUp, prefer });
  const turns = await takeTurns(rounds, {
    signed: () => measureService(service, { ...load, seconds, prefer }),
    plain: () => measureService(service, { ...load, seconds }),
  });
  const cpu = (/** @type {readonly { cpuPerThousand: number }[]} */ loads) =>
    loads.map(({ cpuPerThousand }) => cpuPerThousand);
  const [signed, plain] = [cpu(turns.signed), cpu(turns.plain)];
  const title = 'POST /decisions with a signed receipt ÷ without, CPU of the service';
  return {
    ratio: { title, values: ratios(signed, plain) },
    details: [
      {
        title: 'A signed receipt: CPU of the service beyond a plain one',
        unit: 'µs',
        // Seconds per thousand requests are milliseconds per request.
        values: signed.map((value, round) => (value - (plain[round] ?? 0)) * 1000),
      },
    ],
  };
}

/**
 * The same requests while rounds are signed every second, and without any.
 * @param {import('../support/service.js').Service} service
 * @param {{ seconds: number, warmUp: number, rounds: number }} scale
 * @returns {Promise<import('../support/figures.js').Figure>}
 */
async function compareRounds(service, { seconds, warmUp, rounds }) {
  const name = 'rounds';
  const key = await service.createOrganisation(name);
  const { url, environment } = service;
  const load = { what: /** @type {const} */ ('single'), url, key, connections: CONNECTIONS };
  await runLoad({ ...load, seconds: warmUp });
  const turns = await takeTurns(rounds, {
    on: async () => {
      const task = { environment, name, seconds: seconds + STARTING_MS / 1000, everyMs: ROUND_MS };
      const signing = runTask(SIGNING, { ...task, task: 'often' });
      await setTimeout(STARTING_MS);
      const measured = await runLoad({ ...load, seconds });
      await signing;
      return measured;
    },
    off: () => runLoad({ ...load, seconds }),
  });
  const perSecond = (/** @type {readonly { perSecond: number }[]} */ loads) =>
    loads.map((one) => one.perSecond);
  return {
    title: 'POST /decisions with a round every second ÷ without rounds, requests',
    values: ratios(perSecond(turns.on), perSecond(turns.off)),
    goal: 0.99,
  };
}

/**
 * Rows that have what a tree is made of: consecutive records, each with a hash.
 * @param {string} databaseUrl
 * @param {string} name of the organisation
 * @param {number} records
 */
async function fillRows(databaseUrl, name, records) {
  const ledger = `(select l.ledger_id from ledgers l join organisations o using (org_id)
    where o.name = '${name}' and l.mode = 'live')`;
  await query(
    databaseUrl,
    `insert into decisions (ledger_id, seq, epoch, decision_id, agent_id, action_type, confidence,
       human_in_loop, "timestamp", created_at, entry, hash, prev_hash, inputs, outputs, terms,
       estimate_snapshot)
     select ${ledger}, n, 1, gen_random_uuid(), 'agent', 'action', 0.5, false, now(), now(),
       repeat('x', 600), sha256(n::text::bytea), sha256((n - 1)::text::bytea),
       repeat('y', 300), repeat('z', 300), '{}', 1
     from generate_series(1, ${records}) n`,
  );
  await query(
    databaseUrl,
    `update chain_heads set seq = ${records}, hash = sha256('${records}'::bytea)
     where chain = 'decisions' and ledger_id = ${ledger}`,
  );
}
