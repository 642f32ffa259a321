import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import copyStreams from 'pg-copy-streams';
import { ratios, takeTurns } from '../support/figures.js';
import { BATCH, runLoad } from '../support/load.js';
import { measureService, serviceDetails } from '../support/measure.js';
import { checkpoint, query, withClient } from '../support/sql.js';

const CONNECTIONS = 8;
/** The maximum number of decisions that the service commits in one transaction. */
const ROWS_PER_COPY = 1000;
const MAX_ROWS = 60_000;

export const batchCopy = {
  name: 'batch-copy',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, seconds, warmUp, rounds }) {
    const service = await services.start();
    const url = service.databaseUrl;
    const key = await service.createOrganisation('bench');
    const load = { what: /** @type {const} */ ('batch'), key, connections: CONNECTIONS };
    const keyed = { ...load, what: /** @type {const} */ ('keyed-batch') };
    await runLoad({ ...load, url: service.url, seconds: warmUp });
    await query(url, 'create table bench_copy (like decisions including all)');
    let first = await lastSeq(url);
    const turns = await takeTurns(rounds, {
      service: async () => {
        first = (await lastSeq(url)) + 1;
        await checkpoint(url);
        return measureService(service, { ...load, url: service.url, seconds });
      },
      copy: async () => {
        const chunks = await readRows(url, first);
        await checkpoint(url);
        return withClient(url, (client) => timeCopy(client, chunks));
      },
      keyed: async () => {
        await checkpoint(url);
        return measureService(service, { ...keyed, url: service.url, seconds });
      },
    });
    await service.stop();
    const ours = turns.service.map(({ perSecond }) => perSecond * BATCH);
    const withKeys = turns.keyed.map(({ perSecond }) => perSecond * BATCH);
    const title = `POST /decisions/batch of ${BATCH} ÷ COPY of the same rows`;
    const keyedTitle = `POST /decisions/batch of ${BATCH}: with a key for each decision ÷ without`;
    return {
      ratios: [
        { title, values: ratios(ours, turns.copy), goal: 0.5 },
        { title: keyedTitle, values: ratios(withKeys, ours) },
      ],
      details: [
        {
          title: `POST /decisions/batch, ${CONNECTIONS} connections`,
          unit: 'decisions/s',
          values: ours,
        },
        { title: 'COPY', unit: 'rows/s', values: turns.copy },
        ...serviceDetails('POST /decisions/batch', turns.service),
        ...serviceDetails('POST /decisions/batch with keys', turns.keyed),
      ],
      notes: [`COPY runs on one connection, ${ROWS_PER_COPY} rows in a transaction.`],
    };
  },
};

/** @param {string} url */
async function lastSeq(url) {
  const [{ last }] = await query(url, 'select coalesce(max(seq), 0)::int as last from decisions');
  return last;
}

/**
 * The rows that the service has just written, in COPY format: one text per transaction.
 * @param {string} url
 * @param {number} first
 */
async function readRows(url, first) {
  const statement = `copy (select * from decisions where seq >= ${first} and seq < ${first + MAX_ROWS}
    order by seq) to stdout`;
  const lines = await withClient(url, async (client) => {
    const pieces = [];
    for await (const piece of client.query(copyStreams.to(statement))) pieces.push(piece);
    return Buffer.concat(pieces).toString('utf8').trimEnd().split('\n');
  });
  const chunks = [];
  for (let start = 0; start < lines.length; start += ROWS_PER_COPY) {
    const rows = lines.slice(start, start + ROWS_PER_COPY);
    chunks.push({ rows: rows.length, text: Buffer.from(`${rows.join('\n')}\n`) });
  }
  return chunks;
}

/**
 * @param {any} client of pg
 * @param {readonly { rows: number, text: Buffer }[]} chunks
 */
async function timeCopy(client, chunks) {
  const started = performance.now();
  let rows = 0;
  for (const chunk of chunks) {
    const target = client.query(copyStreams.from('copy bench_copy from stdin'));
    await pipeline(Readable.from([chunk.text]), target);
    rows += chunk.rows;
  }
  return rows / ((performance.now() - started) / 1000);
}
