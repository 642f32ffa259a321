// The framework without the service: parses the same JSON body and answers with as many bytes.
import process from 'node:process';
import { serverRequire } from './support/sql.js';

const { fastify } = serverRequire('fastify');

const HASH = 'e6d65e64bd4456245e5ace8ccf917d224d9bcdb825c7426f89081be6547b1d07';
const ANSWER = {
  data: {
    decision_id: 'dec_01m7ygd45dejxvkwbzskszegts',
    seq: 100_000,
    timestamp: '2026-11-21T07:33:48.335Z',
    created_at: '2026-11-21T07:33:48.335Z',
    hash: HASH,
    prev_hash: HASH,
  },
  meta: { request_id: 'req_01m7ygd44ye4jv9rjrf1c0099v', timestamp: '2026-11-21T07:33:48.339Z' },
};

const app = fastify();
app.post('/api/v1/decisions', (request, reply) => {
  if (typeof request.body?.agent_id !== 'string') throw new Error('the body was not parsed');
  reply.code(201).send(ANSWER);
});
app.get('/cpu', () => process.cpuUsage());
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`listens on ${url}\n`);
