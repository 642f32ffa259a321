// A server of `ws` that does nothing but count what is posted to it and send a text to all clients: for the bench of the stream.
import { createServer } from 'node:http';
import process from 'node:process';
import { serverRequire } from './support/sql.js';

const { WebSocketServer } = serverRequire('ws');

/** An event of the service, in which the place of its seq is marked. */
const [before, after] = (process.env.EVENT ?? '').split('SEQ');
if (after === undefined) throw new Error('the environment variable EVENT has no text with a SEQ');

let seq = 0;
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(process.cpuUsage()));
    return;
  }
  request.resume().on('end', () => {
    seq += 1;
    const body = JSON.stringify({ data: { seq } });
    response.writeHead(201, { 'content-type': 'application/json' }).end(body);
    for (const client of sockets.clients) client.send(`${before}${seq}${after}`);
  });
});
const sockets = new WebSocketServer({ server });
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listens on http://127.0.0.1:${server.address().port}\n`);
});
