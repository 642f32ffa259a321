import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Ledger } from '@decision-ledger/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import {
  embeddedEnvironment,
  readKeys,
  runCommand,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';
import { type HttpServerProcess, type RawRequest, raw, startHttp } from './support/http-process.js';

const TOKEN = 'f'.repeat(64);
const AUTHORIZED = { Authorization: `Bearer ${TOKEN}` };
const PAGE = 'https://desk.example.com';
const folder = mkdtempSync(join(tmpdir(), 'ledger-mcp-http-'));
let service: ServiceProcess;
let server: HttpServerProcess;
let ledger: Ledger;
let environment: Record<'LEDGER_URL' | 'LEDGER_KEY', string>;
let port: number;

const startLedger = () =>
  startService({ ...embeddedEnvironment(join(folder, 'data')), LEDGER_PORT: String(port) });

/** A server whose agent has the name, with an outbox of its own. */
function open(agent: string, options: string[], more: Record<string, string> = {}) {
  const outbox = join(folder, `outbox-${agent}`);
  return startHttp(['--agent', agent, '--outbox', outbox, ...options], { ...environment, ...more });
}

beforeAll(async () => {
  port = await freePort();
  service = await startLedger();
  environment = { LEDGER_URL: service.url, LEDGER_KEY: readKeys(join(folder, 'data')).live };
  ledger = new Ledger({ url: service.url, key: environment.LEDGER_KEY });
  server = await open('desk', ['--allow-origin', PAGE], { LEDGER_MCP_TOKEN: TOKEN });
});
afterAll(async () => {
  server.stop();
  expect((await server.ended).code).toBe(0);
  await ledger.close();
  await service.stop();
  rmSync(folder, { recursive: true });
});

const DECISION = {
  action_type: 'refund',
  inputs: { order: 'A-1', amount: '49.00' },
  outputs: { approved: true },
  confidence: 0.9,
};

/** A call of the tool that records, as a message of the protocol with a handshake. */
const CALL = message('tools/call', { name: 'record_decision', arguments: DECISION });

function message(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

type Calls = Pick<Client, 'close'> & {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
};

async function connect(url: string, mode: 'auto' | 'legacy', headers: object = AUTHORIZED) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

const CLIENTS: Readonly<Record<string, () => Promise<Calls>>> = {
  'Client 2 of 2026': () => connect(server.url, 'auto'),
  'Client 2 of 2025': () => connect(server.url, 'legacy'),
  'Client 1': async () => {
    const client = new FirstClient({ name: 'test', version: '1' });
    const requestInit = { headers: AUTHORIZED };
    await client.connect(new FirstTransport(new URL(server.url), { requestInit }));
    return client;
  },
};

/** The decisions of an agent, once there are that many. */
async function recorded(agent_id: string, count: number) {
  for (let tries = 0; tries < 200; tries += 1) {
    const decisions = await ledger.decisions.list({ agent_id }).toArray();
    if (decisions.length >= count) return decisions;
    await pause(100);
  }
  throw new Error(`${agent_id} has no ${count} decisions`);
}

it.each(Object.entries(CLIENTS))(
  '%s records a decision over HTTP, and reads nothing without a second key',
  async (name, start) => {
    const client = await start();
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['record_decision']);
    const call = (input: object) =>
      client.callTool({ name: 'record_decision', arguments: { ...input } });
    const inputs = { client: name };
    expect(await call({ ...DECISION, inputs })).not.toHaveProperty('isError');
    expect(await call({ ...DECISION, agent_id: 'another' })).toMatchObject({ isError: true });
    await expect(client.callTool({ name: 'get_decision', arguments: {} })).rejects.toThrow(
      'there is no such tool',
    );
    await client.close();
    await expect
      .poll(async () => JSON.stringify(await recorded('desk', 1)))
      .toContain(JSON.stringify(inputs));
  },
);

it('With a second key, agents read what is marked as untrusted', async () => {
  const reading = await open('reader', ['--json'], { LEDGER_READ_KEY: environment.LEDGER_KEY });
  expect(JSON.parse(reading.stdout())).toEqual({ url: reading.url });
  const client = await connect(reading.url, 'auto', {});
  const result = await client.callTool({ name: 'verify_chain', arguments: {} });
  const [warning, answer] = result.content.map((part) => (part.type === 'text' ? part.text : ''));
  expect(warning).toContain('untrusted content');
  expect(JSON.parse(answer ?? '')).toMatchObject({ is_valid: true });
  await client.close();
  reading.stop();
  expect(await reading.ended).toMatchObject({ code: 0, stderr: '' });
});

const MODERN = { ...AUTHORIZED, 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call' };
const REFUSED: Readonly<Record<string, readonly [RawRequest, number]>> = {
  'a page of another origin': [{ headers: { ...AUTHORIZED, Origin: 'https://evil.example' } }, 403],
  'a page without an origin of its own': [{ headers: { ...AUTHORIZED, Origin: 'null' } }, 403],
  'a preflight of another origin': [
    { method: 'OPTIONS', headers: { Origin: 'http://localhost' } },
    403,
  ],
  'a name that leads here by rebinding': [
    { headers: { ...AUTHORIZED, Host: 'evil.example' } },
    403,
  ],
  'a name that begins like a known one': [
    { headers: { ...AUTHORIZED, Host: 'localhost.evil.example:80' } },
    403,
  ],
  'a port in place of a host': [{ headers: { ...AUTHORIZED, Host: ':80' } }, 403],
  'a host with a user': [{ headers: { ...AUTHORIZED, Host: 'localhost@evil.example' } }, 403],
  'no token': [{}, 401],
  'another token': [{ headers: { Authorization: `Bearer ${'f'.repeat(63)}e` } }, 401],
  'the beginning of the token': [{ headers: { Authorization: `Bearer ${'f'.repeat(32)}` } }, 401],
  'another path': [{ path: '/', headers: AUTHORIZED }, 404],
  'a stream': [{ method: 'GET', headers: AUTHORIZED }, 405],
  'the end of a session': [{ method: 'DELETE', headers: AUTHORIZED }, 405],
  'a form': [{ headers: { ...AUTHORIZED, 'Content-Type': 'text/plain' } }, 415],
  'a compressed body': [
    { headers: { ...AUTHORIZED, 'Content-Encoding': 'gzip' }, body: gzipSync(CALL) },
    415,
  ],
  'a body of 5 MB': [{ headers: AUTHORIZED, body: `${CALL}${' '.repeat(5_000_000)}` }, 413],
  'a body of 5 MB without a length': [
    {
      headers: { ...AUTHORIZED, 'Transfer-Encoding': 'chunked' },
      body: `${CALL}${' '.repeat(5_000_000)}`,
    },
    413,
  ],
  'no JSON': [{ headers: AUTHORIZED, body: '{"id":1,' }, 400],
  'no UTF-8': [{ headers: AUTHORIZED, body: Buffer.from([0x22, 0xff, 0x22]) }, 400],
  'an empty body': [{ headers: AUTHORIZED, body: '' }, 400],
  'a batch': [{ headers: AUTHORIZED, body: `[${CALL}]` }, 400],
  nesting: [{ headers: AUTHORIZED, body: '['.repeat(100_000) }, 400],
  'an unknown version': [{ headers: { ...AUTHORIZED, 'MCP-Protocol-Version': '2030-01-01' } }, 400],
  'a header of 2026 on a message of 2025': [{ headers: MODERN }, 400],
};

it.each(Object.entries(REFUSED))('Refused with a reason: %s', async (_name, [request, status]) => {
  const answer = await raw(server.url, { body: CALL, ...request });
  expect(answer).toMatchObject({ status, body: { error: { message: expect.any(String) } } });
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  expect(JSON.stringify(answer)).not.toContain(TOKEN);
});

it('Headers of 2026 must say what the message says', async () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const body = message('tools/call', { name: 'record_decision', arguments: DECISION, _meta });
  const send = async (headers: object) =>
    (await raw(server.url, { body, headers: { ...AUTHORIZED, ...headers } })).status;
  const named = { ...MODERN, 'Mcp-Name': 'record_decision' };
  const encoded = `=?base64?${Buffer.from('record_decision').toString('base64')}?=`;
  expect(await send({})).toBe(400);
  expect(await send(MODERN)).toBe(400);
  expect(await send({ ...named, 'Mcp-Name': 'get_decision' })).toBe(400);
  expect(await send({ ...named, 'Mcp-Method': 'tools/list' })).toBe(400);
  expect(await send({ ...named, 'MCP-Protocol-Version': '2025-11-25' })).toBe(400);
  expect(await send(named)).toBe(200);
  expect(await send({ ...named, 'Mcp-Name': encoded })).toBe(200);
});

it('Clients reach the server by every name that it has, with any port', async () => {
  const body = message('ping', {});
  for (const Host of ['localhost', 'LOCALHOST:1', '127.0.0.1:65535', '[::1]:8090']) {
    const headers = { ...AUTHORIZED, Host };
    expect(await raw(server.url, { headers, body })).toMatchObject({ status: 200 });
  }
});

it('A page that is allowed may ask first, call, and read the answer', async () => {
  const headers = { Origin: PAGE };
  const asked = await raw(server.url, { method: 'OPTIONS', headers });
  const allowed = { 'access-control-allow-origin': PAGE, vary: 'Origin' };
  expect(asked).toMatchObject({ status: 204, headers: allowed });
  const body = message('ping', {});
  const called = await raw(server.url, { headers: { ...headers, ...AUTHORIZED }, body });
  expect(called).toMatchObject({ status: 200, headers: allowed, body: { id: 1, result: {} } });
});

it('Notifications and answers are accepted without an answer', async () => {
  for (const body of [
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"id":1,"result":{}}',
  ]) {
    expect(await raw(server.url, { headers: AUTHORIZED, body })).toMatchObject({
      ...{ status: 202, body: null },
    });
  }
});

it('Clients that break off harm nobody', async () => {
  const { hostname, port: ownPort } = new URL(server.url);
  const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
  for (const text of ['POST', head, `${head}{"id":`, `${head}${CALL.padEnd(1000)}`]) {
    const socket = connectSocket(Number(ownPort), hostname);
    await new Promise<void>((resolve) => socket.write(text, () => resolve()));
    socket.resetAndDestroy();
  }
  const body = message('ping', {});
  expect(await raw(server.url, { headers: AUTHORIZED, body })).toMatchObject({ status: 200 });
});

it('What cannot be served as configured is an error, above all an address of others without a token', async () => {
  for (const [options, problem] of [
    [['--host', '0.0.0.0'], 'can be reached by others'],
    [['--host', '::'], 'can be reached by others'],
    [['--port', new URL(server.url).port], 'cannot listen'],
    [['--allow-origin', 'https://a.example/path'], 'it must be an origin'],
    [['--allow-origin', 'null'], 'it must be an origin'],
    [['--allow-host', 'a.example:443'], 'without a port'],
    [['--allow-host', ''], 'without a port'],
  ] as const) {
    const args = ['mcp-http', '--agent', 'a', '--port', '0', ...options];
    const { code, stderr } = await runCommand(args, environment);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
  }
  const file = join(folder, 'token');
  writeFileSync(file, 'short\n');
  const args = ['mcp-http', '--agent', 'a', '--bearer-file', file];
  const { code, stderr } = await runCommand(args, environment);
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('32 to 1000'),
  });
  expect(stderr).not.toContain('short');
});

it('While the ledger is killed, decisions are accepted; they are delivered when it is back', async () => {
  const lonely = await open('lonely', []);
  await service.kill();
  const send = () => raw(lonely.url, { body: CALL });
  for (const answer of await Promise.all(Array.from({ length: 20 }, send))) {
    expect(JSON.stringify(answer.body)).toContain('accepted');
  }
  service = await startLedger();
  expect(await recorded('lonely', 20)).toHaveLength(20);
  lonely.stop();
  expect((await lonely.ended).code).toBe(0);
});

it('A signal lets requests in progress end, and delivers what they record', async () => {
  const ending = await open('ending', []);
  const { hostname, port: ownPort } = new URL(ending.url);
  const socket = connectSocket(Number(ownPort), hostname);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${CALL.length}\r\n\r\n`;
  await new Promise<void>((resolve) => socket.write(head + CALL.slice(0, 20), () => resolve()));
  await raw(ending.url, { body: message('ping', {}) });
  ending.stop();
  await expect.poll(() => raw(ending.url, {}).catch(() => 'closed')).toBe('closed');
  socket.write(CALL.slice(20));
  await closed;
  expect(answer).toContain('accepted');
  expect(await ending.ended).toMatchObject({ code: 0, stderr: '' });
  expect(await recorded('ending', 1)).toMatchObject([DECISION]);
});
