import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../support/children.js';
import { ratios, takeTurns } from '../support/figures.js';
import { runLoad } from '../support/load.js';
import { checkpoint, query } from '../support/sql.js';

const CONNECTIONS = 64;
const CLIENTS = 16;

export const singlePgbench = {
  name: 'single-pgbench',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ postgres, services, seconds, warmUp, rounds }) {
    const program = join(postgres().handle.binaries, 'pgbench');
    if (!existsSync(program)) {
      return { ratios: [], details: [], notes: ['SKIPPED single-pgbench: there is no pgbench.'] };
    }
    const service = await services.start({ LEDGER_ROLE: 'api' });
    const key = await service.createOrganisation('bench');
    const load = { what: /** @type {const} */ ('single'), key, connections: CONNECTIONS };
    await runLoad({ ...load, url: service.url, seconds: warmUp });
    const body = await prepareTable(service.databaseUrl);
    const turns = await takeTurns(rounds, {
      service: async () => {
        await checkpoint(service.databaseUrl);
        return runLoad({ ...load, url: service.url, seconds });
      },
      pgbench: async () => {
        await checkpoint(service.databaseUrl);
        return runPgbench(program, service.databaseUrl, body, seconds);
      },
    });
    await service.stop();
    const ours = turns.service.map(({ perSecond }) => perSecond);
    const title = 'POST /decisions, 64 connections ÷ pgbench, one prepared INSERT a transaction';
    return {
      ratios: [{ title, values: ratios(ours, turns.pgbench), goal: 0.6 }],
      details: [
        { title: 'POST /decisions, in turn with pgbench', unit: '/s', values: ours },
        { title: `pgbench, ${CLIENTS} clients`, unit: '/s', values: turns.pgbench },
      ],
      notes: [`pgbench inserts rows of ${body.length} bytes, as many as a decision's texts have.`],
    };
  },
};

/**
 * @param {string} url
 * @returns {Promise<string>} the content of a decision's row, as one text
 */
async function prepareTable(url) {
  await query(
    url,
    'create table bench_row (id bigint generated always as identity primary key, body text not null)',
  );
  const [row] = await query(
    url,
    `select concat_ws(' ', decision_id, agent_id, action_type, "timestamp", created_at, entry,
       inputs, outputs, alternatives, metadata) as body from decisions limit 1`,
  );
  return row.body;
}

/**
 * @param {string} program
 * @param {string} url
 * @param {string} body
 * @param {number} seconds
 */
async function runPgbench(program, url, body, seconds) {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-bench-'));
  try {
    const script = join(folder, 'insert.sql');
    writeFileSync(script, 'insert into bench_row (body) values (:body);\n');
    const flags = [
      '-n',
      '-M',
      'prepared',
      '-c',
      `${CLIENTS}`,
      '-j',
      '2',
      '-T',
      `${Math.max(1, seconds)}`,
    ];
    const output = await run(program, [...flags, '-D', `body=${body}`, '-f', script, url]);
    const tps = /^tps = ([\d.]+)/m.exec(output)?.[1];
    if (tps === undefined) throw new Error(`pgbench reported no figure:\n${output}`);
    return Number(tps);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
