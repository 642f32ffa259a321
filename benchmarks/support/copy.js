import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import copyStreams from 'pg-copy-streams';
import { checkpoint, query, withClient } from './sql.js';

const MAX_ROWS = 60_000;

/** The tables that rows are copied into. */
const TABLES = {
  /** With the indexes of the decisions. */
  alike: 'create table bench_copy (like decisions including all)',
  /** With the least that a chain needs. */
  plain: 'create table bench_copy (like decisions including storage, primary key (ledger_id, seq))',
};

/**
 * The least that PostgreSQL can spend on the rows of a service: COPY into a table.
 * @typedef {object} CopyTarget
 * @property {() => Promise<void>} mark the rows that are written after this are copied
 * @property {(rowsPerTransaction: number, table?: keyof typeof TABLES) => Promise<Copied>} run
 */

/** @typedef {{ perSecond: number, postgresCpuPerThousand: number | null }} Copied */

/**
 * @param {import('./service.js').Service} service
 * @returns {Promise<CopyTarget>}
 */
export async function copyTarget({ databaseUrl: url, figures }) {
  let last = await lastSeq(url);
  return {
    async mark() {
      last = await lastSeq(url);
    },
    async run(rowsPerTransaction, table = 'alike') {
      await query(url, `drop table if exists bench_copy; ${TABLES[table]}`);
      const chunks = await readRows(url, last, rowsPerTransaction);
      await checkpoint(url);
      const before = (await figures()).postgresCpuSeconds;
      const { rows, seconds } = await withClient(url, (client) => copyAll(client, chunks));
      const after = (await figures()).postgresCpuSeconds;
      const cpu = before === null || after === null ? null : (after - before) / (rows / 1000);
      return { perSecond: rows / seconds, postgresCpuPerThousand: cpu };
    },
  };
}

/** @param {string} url */
async function lastSeq(url) {
  const [{ last }] = await query(url, 'select coalesce(max(seq), 0)::int as last from decisions');
  return last;
}

/**
 * The rows after a place, in COPY format: one text per transaction.
 * @param {string} url
 * @param {number} after
 * @param {number} rowsPerTransaction
 */
async function readRows(url, after, rowsPerTransaction) {
  const statement = `copy (select * from decisions where seq > ${after} and seq <= ${after + MAX_ROWS}
    order by seq) to stdout`;
  const lines = await withClient(url, async (client) => {
    const pieces = [];
    for await (const piece of client.query(copyStreams.to(statement))) pieces.push(piece);
    return Buffer.concat(pieces).toString('utf8').trimEnd().split('\n');
  });
  const chunks = [];
  for (let start = 0; start < lines.length; start += rowsPerTransaction) {
    const rows = lines.slice(start, start + rowsPerTransaction);
    chunks.push({ rows: rows.length, text: Buffer.from(`${rows.join('\n')}\n`) });
  }
  return chunks;
}

/**
 * @param {any} client of pg
 * @param {readonly { rows: number, text: Buffer }[]} chunks
 */
async function copyAll(client, chunks) {
  const started = performance.now();
  let rows = 0;
  for (const chunk of chunks) {
    const target = client.query(copyStreams.from('copy bench_copy from stdin'));
    await pipeline(Readable.from([chunk.text]), target);
    rows += chunk.rows;
  }
  return { rows, seconds: (performance.now() - started) / 1000 };
}
