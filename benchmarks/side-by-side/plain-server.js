// What one would write first: a table whose rows have the hash of the previous row.
import { createHash } from 'node:crypto';
import process from 'node:process';
import { serverRequire } from '../support/sql.js';

const [databaseUrl = ''] = process.argv.slice(2);
const { fastify } = serverRequire('fastify');
const pg = serverRequire('pg');

const GENESIS = '0'.repeat(64);

/**
 * One connection is the fastest: with several, a request that has waited for the lock of the last row still sees that row
 * as the last one, fails to store the same place again, and starts over.
 */
const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
await pool.query(`create table record (
  seq bigint primary key,
  created_at timestamptz not null default now(),
  prev_hash text not null,
  hash text not null,
  body jsonb not null
)`);

const app = fastify();
app.post('/api/v1/decisions', async (request, reply) => {
  const client = await pool.connect();
  try {
    return reply.code(201).send(await append(client, JSON.stringify(request.body)));
  } finally {
    client.release();
  }
});
app.get('/cpu', () => process.cpuUsage());
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`listens on ${url}\n`);

/**
 * @param {any} client of pg
 * @param {string} body
 */
async function append(client, body) {
  await client.query('begin');
  try {
    const { rows } = await client.query(
      'select seq, hash from record order by seq desc limit 1 for update',
    );
    const seq = Number(rows[0]?.seq ?? 0) + 1;
    const previous = rows[0]?.hash ?? GENESIS;
    const hash = createHash('sha256').update(previous).update(body).digest('hex');
    const values = [seq, previous, hash, body];
    await client.query(
      'insert into record (seq, prev_hash, hash, body) values ($1, $2, $3, $4)',
      values,
    );
    await client.query('commit');
    return { seq, hash };
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
