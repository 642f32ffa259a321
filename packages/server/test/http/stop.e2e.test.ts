import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLOSE_CODES, STREAM_PATH } from '@decision-ledger/contract/stream';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Answer, decision, expectRefusal } from '../support/client.js';
import {
  embeddedEnvironment,
  readKeys,
  runCommand,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';
import { until } from '../support/webhooks.js';
import { answerOf, openRaw } from './support/raw.js';

const CLIENTS = 8;
/** A drain used to end after the 30 s that it may take at most. Another process may keep the machine busy. */
const PATIENCE_MS = 15_000;

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-stop-'));
const dataDir = join(folder, 'data');
let service: ServiceProcess;
let key: string;

beforeAll(async () => {
  service = await startService(embeddedEnvironment(dataDir));
  key = readKeys(dataDir).live;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** All answers that a client got until it could not connect any more. */
interface Load {
  readonly answers: Answer[];
  lastAt: number;
}

/** Records decisions over one connection that is kept, until the service accepts no more. */
async function record(load: Load): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let refused = false; !refused; ) {
    refused = await post(agent).then(
      (answer) => {
        load.answers.push(answer);
        load.lastAt = performance.now();
        return false;
      },
      (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
    );
  }
  agent.destroy();
}

function post(agent: Agent): Promise<Answer> {
  const headers = { 'x-ledger-key': key, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const options = { agent, method: 'POST', headers };
    const request = send(`${service.url}/api/v1/decisions`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('error', reject).once('end', () => {
        const header = (name: string) => response.headers[name]?.toString();
        const headerNames = Object.keys(response.headers);
        resolve({ status: response.statusCode ?? 0, text, headerNames, header });
      });
    });
    request.once('error', reject).end(JSON.stringify(decision()));
  });
}

const head = (line: string, ...headers: string[]) =>
  `${[line, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`;

function endOf(ended: Promise<string>) {
  return ended.then((text) => ({ text, at: performance.now() }));
}

const Verified = Type.Object({
  is_valid: Type.Literal(true),
  chains: Type.Array(Type.Object({ records_checked: Type.Integer() })),
});

it('A stop under load answers what was accepted, refuses the rest in the envelope, and ends', async () => {
  const port = Number(new URL(service.url).port);
  const load: Load = { answers: [], lastAt: 0 };
  const clients = Promise.all(Array.from({ length: CLIENTS }, () => record(load)));
  const stream = new WebSocket(`${service.url.replace('http', 'ws')}${STREAM_PATH}`, {
    headers: { 'x-ledger-key': key },
  });
  const closed = new Promise<number>((resolve) => stream.once('close', resolve));
  await new Promise((resolve) => stream.once('open', resolve));
  const idle = openRaw(port, head('GET /healthz HTTP/1.1'));
  const silent = openRaw(port);
  const half = openRaw(port, 'GET /healthz HT');
  const upload = ['Content-Type: application/json', 'Content-Length: 9', `X-Ledger-Key: ${key}`];
  const stalled = openRaw(port, head('POST /api/v1/decisions HTTP/1.1', ...upload));
  const late = endOf(stalled.ended);
  const early = [idle, silent, half].map(({ ended }) => endOf(ended));
  await until('the clients are served', () => Promise.resolve(load.answers.length > 10 * CLIENTS));

  await service.stop();
  const endedAt = performance.now();
  await clients;
  const refused = answerOf((await late).text);
  const others = load.answers.filter(({ status }) => status !== 201);
  for (const answer of [refused, ...others]) {
    expectRefusal(answer, 'unavailable');
    expect(answer.header('retry-after')).toBe('1');
    expect(answer.header('connection')).toBe('close');
    expect(answer.header('cache-control')).toBe('private, no-store');
  }
  // Connections that wait for nothing are closed before the rest of the stalled request is given up.
  for (const one of early) expect((await one).at).toBeLessThan((await late).at);
  expect(await closed).toBe(CLOSE_CODES.goingAway);
  expect(endedAt - Math.max(load.lastAt, (await late).at)).toBeLessThan(PATIENCE_MS);
  expect(service.output()).not.toContain('    at ');

  const recorded = load.answers.length - others.length;
  const { stdout } = await runCommand(
    ['verify', '--mode', 'live', '--json'],
    embeddedEnvironment(dataDir),
  );
  expect(Parse(Verified, JSON.parse(stdout)).chains[0]?.records_checked).toBe(recorded);
});
