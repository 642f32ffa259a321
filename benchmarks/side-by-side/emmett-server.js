// The event store of emmett on PostgreSQL behind a route: one event with the body for each request.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { serverRequire } from '../support/sql.js';

const [folder = '', databaseUrl = ''] = process.argv.slice(2);
const { fastify } = serverRequire('fastify');
/** Its packages are in a temporary folder: see others.js. */
const installed = createRequire(join(folder, 'package.json'));
const { getPostgreSQLEventStore } = installed('@event-driven-io/emmett-postgresql');

const store = getPostgreSQLEventStore(databaseUrl);
await store.schema.migrate();

const app = fastify();
app.post('/api/v1/decisions', async (request, reply) => {
  // Two appends to one stream at a time conflict, so each request has its own.
  const { nextExpectedStreamVersion } = await store.appendToStream(`decision-${randomUUID()}`, [
    { type: 'DecisionRecorded', data: request.body },
  ]);
  return reply.code(201).send({ seq: Number(nextExpectedStreamVersion) });
});
app.get('/cpu', () => process.cpuUsage());
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`listens on ${url}\n`);
