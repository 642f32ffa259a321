import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Ledger } from '@decision-ledger/client';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/paths.js';
import {
  embeddedEnvironment,
  readKeys,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';
import { behindProxy, SHOP, see, start, TASKS } from './support/proxy-process.js';

const folder = mkdtempSync(join(tmpdir(), 'ledger-mcp-'));
const config = join(folder, 'proxy.json');
let service: ServiceProcess;
let ledger: Ledger;
let environment: Record<'LEDGER_URL' | 'LEDGER_KEY', string>;
let sessions = 0;

beforeAll(async () => {
  const data = join(folder, 'data');
  service = await startService(embeddedEnvironment(data));
  environment = { LEDGER_URL: service.url, LEDGER_KEY: readKeys(data).live };
  ledger = new Ledger({ url: service.url, key: environment.LEDGER_KEY });
  const tools = {
    issue_refund: { confidence: ['argument:confidence', 'fixed:0.8'] },
    '*': { confidence: ['fixed:0.5'] },
    environment: { decision: false },
  };
  writeFileSync(config, JSON.stringify({ tools, mask: ['inputs.card'] }));
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** The options of the proxy for a session of its own. */
function options(agent: string): string[] {
  sessions += 1;
  const outbox = join(folder, `outbox-${sessions}`);
  return ['--agent', agent, '--config', config, '--outbox', outbox];
}

/** The decisions of an agent, the oldest first. */
async function recorded(agent_id: string) {
  const decisions = await ledger.decisions.list({ agent_id }).toArray();
  return decisions.sort((a, b) => a.seq - b.seq);
}

type Calls = Pick<Client, 'close'> & {
  listTools(): Promise<unknown>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
};

const CLIENTS: Readonly<Record<string, (args: string[]) => Promise<Calls>>> = {
  'client 2 with the protocol of 2026': (args) => connect(args, 'auto'),
  'client 2 with the protocol of 2025': (args) => connect(args, 'legacy'),
  'client 1': async (args) => {
    const client = new FirstClient({ name: 'test', version: '1.0.0' });
    await client.connect(new FirstTransport(parameters(args)));
    return client;
  },
};

async function connect(args: string[], mode: 'auto' | 'legacy'): Promise<Client> {
  const info = { name: 'test', version: '1.0.0' };
  const client = new Client(info, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport(parameters(args)));
  return client;
}

function parameters(args: string[]) {
  const { PATH = '' } = process.env;
  const env = { PATH, ...environment };
  return { command: process.execPath, args, env, stderr: 'ignore' as const };
}

/** A session with every kind of answer, as the client sees it. */
async function session(client: Calls): Promise<unknown> {
  const call = (name: string, args = {}) => client.callTool({ name, arguments: args });
  const tools = await client.listTools();
  const refunds = await Promise.all(
    ['10.00', '20.00'].map((amount) =>
      call('issue_refund', { amount, confidence: 0.9, card: '4111' }),
    ),
  );
  const rest = [await call('find_order'), await call('cancel_order', { order: 'A-1' })];
  const unknown = await call('no_such_tool').catch((error: unknown) => String(error));
  await client.close();
  return { tools, refunds, rest, unknown };
}

/** A result without the id of its task, which differs between runs. */
function withoutTask({ _meta, ...result }: { readonly _meta?: unknown }): object {
  return result;
}

describe('What passes', () => {
  it.each(Object.entries(CLIENTS))('%s sees what it sees without the proxy', async (name, open) => {
    const behind = behindProxy([process.execPath, SHOP], options(name));
    const [direct, proxied] = await Promise.all(
      [[SHOP], behind].map(async (args) => session(await open(args))),
    );
    expect(proxied).toEqual(direct);

    const decisions = await recorded(name);
    const acted = decisions.filter(({ action_type }) => action_type !== 'no_such_tool');
    expect(acted.map(({ inputs }) => inputs?.amount).sort()).toEqual(['10.00', '20.00', undefined]);
    for (const refund of acted.slice(0, 2)) {
      expect(refund).toMatchObject({
        action_type: 'issue_refund',
        inputs: { card: '[masked]' },
        outputs: { content: [{ type: 'text' }] },
        confidence: 0.9,
        metadata: { confidence_source: 'argument', mcp_outcome: 'result' },
      });
    }
    expect(acted[2]).toMatchObject({
      action_type: 'cancel_order',
      outputs: { isError: true, error: { type: 'tool_error' } },
      confidence: 0.5,
      metadata: { confidence_source: 'fixed', mcp_outcome: 'tool_error' },
    });
    const numbers = decisions.map(({ metadata }) => metadata?.session_seq);
    expect(numbers).toEqual(decisions.map((_, index) => index + 1));
  });

  it('Progress passes, and a call that the client cancels is recorded as cancelled', async () => {
    const args = behindProxy([process.execPath, SHOP], options('shipper'));
    const params = { name: 'ship', arguments: { order: 1 }, _meta: { progressToken: 'p' } };
    const calls = [...INITIALIZE, { id: 1, method: 'tools/call', params }];
    const direct = await see(talk([SHOP], calls));
    expect(direct.stdout.match(/"progress":\d/g)).toEqual(['"progress":1', '"progress":2']);
    expect(await see(talk(args, calls))).toEqual(direct);

    const client = await connect(args, 'legacy');
    const signal = AbortSignal.timeout(100);
    const cancelled = client.callTool({ name: 'ship', arguments: { order: 2 } }, { signal });
    await expect(cancelled).rejects.toThrow();
    await client.close();
    expect(await recorded('shipper')).toMatchObject([
      { inputs: { order: 1 }, metadata: { mcp_outcome: 'result' } },
      { inputs: { order: 2 }, outputs: { error: { type: 'cancelled' } } },
    ]);
  });

  it('Tasks pass, and a call is recorded with the result of its task', async () => {
    const run = async (args: string[]) => {
      const client = new FirstClient({ name: 'test', version: '1.0.0' });
      await client.connect(new FirstTransport(parameters(args)));
      await client.listTools();
      const { tasks } = client.experimental;
      const seen: unknown[] = [];
      for (const name of ['refund', 'fail']) {
        const stream = tasks.callToolStream({ name, arguments: { order: 'A-1' } });
        for await (const { type, ...rest } of stream) {
          seen.push(type === 'result' && 'result' in rest ? withoutTask(rest.result) : type);
        }
      }
      const waiting = tasks.callToolStream({ name: 'wait', arguments: { order: 'A-2' } });
      for await (const message of waiting) {
        if (message.type === 'taskCreated') await tasks.cancelTask(message.task.taskId);
        seen.push(message.type);
      }
      await client.close();
      return seen.filter((one) => one !== 'taskStatus');
    };
    const direct = await run([TASKS]);
    expect(direct).toMatchObject([
      'taskCreated',
      { content: [{ text: 'refunded A-1' }] },
      'taskCreated',
      { isError: true },
      ...['taskCreated', 'error'],
    ]);
    expect(await run(behindProxy([process.execPath, TASKS], options('tasks')))).toEqual(direct);
    const decisions = await recorded('tasks');
    expect(decisions).toMatchObject([
      { action_type: 'refund', outputs: { content: [{ text: 'refunded A-1' }] } },
      { action_type: 'fail', outputs: { error: { type: 'tool_error' } } },
      { action_type: 'wait', outputs: { error: { type: 'cancelled' } } },
    ]);
    expect(decisions).toHaveLength(3);
  });

  it('The server sees no key, and its exit code and standard error are passed on', async () => {
    const direct = await see(talk([SHOP], LAST_CALLS, {}));
    const proxied = await see(
      talk(behindProxy([process.execPath, SHOP], options('leaver')), LAST_CALLS),
    );
    expect(direct.code).toBe(7);
    expect(proxied).toEqual(direct);
    expect(proxied.stdout).toContain('"text":"[]"');
    const last = { action_type: 'leave', outputs: { error: { type: 'no_result' } } };
    expect(await recorded('leaver')).toMatchObject([last]);
  });

  it('A signal ends the command and the proxy alike', async () => {
    const child = start(behindProxy([process.execPath, SHOP], options('stopped')), environment);
    const seen = see(child);
    await once(child.stderr ?? process.stderr, 'data');
    child.kill('SIGTERM');
    expect(await seen).toMatchObject({ code: null, signal: 'SIGTERM' });
  });

  it('A signal ends the proxy although a process that the command left behind holds the output', async () => {
    const left = `setInterval(() => process.ppid !== Number(process.argv[1]) && console.log('left'), 20)`;
    const script = `const { spawn } = require('node:child_process');
      const args = ['-e', ${JSON.stringify(left)}, String(process.pid)];
      spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'ignore'], detached: true });
      setTimeout(() => process.exit(3), 200)`;
    const child = start(
      behindProxy([process.execPath, '-e', script], options('left')),
      environment,
    );
    const seen = see(child);
    child.stdout?.once('data', () => child.kill('SIGTERM'));
    expect(await seen).toMatchObject({ code: 3, signal: null });
  });

  it('Input reaches the server while the client reads nothing', async () => {
    const script = `process.stdout.write('x'.repeat(5e6));
      process.stdin.once('data', (text) => process.stderr.write(text)).on('end', () => undefined)`;
    const child = start(
      behindProxy([process.execPath, '-e', script], options('full')),
      environment,
    );
    child.stdout?.pause();
    child.stdin?.write('read me');
    const [heard] = await once(child.stderr ?? process.stderr, 'data');
    expect(String(heard)).toBe('read me');
    const seen = see(child);
    child.stdout?.resume();
    child.stdin?.end();
    const { stdout, code } = await seen;
    expect({ code, bytes: stdout.length }).toEqual({ code: 0, bytes: 5e6 });
  });

  it('What is no message passes unchanged, of any size', async () => {
    const garbage = `\u0000not json\n{"jsonrpc":"2.0"\n[]\n[1,null]\n\n${'x'.repeat(3_000_000)}`;
    const child = start(behindProxy([process.execPath, '-e', ECHO], options('echo')), environment);
    const seen = see(child);
    child.stdin?.end(garbage);
    const { stdout, stderr, code } = await seen;
    expect({ stderr, code, isSame: stdout === garbage }).toEqual({
      ...{ stderr: '', code: 0, isSame: true },
    });
  });
});

const ECHO = 'process.stdin.pipe(process.stdout)';

const INITIALIZE = [
  {
    ...{ id: 0, method: 'initialize' },
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
];
const LAST_CALLS = [
  ...INITIALIZE,
  { id: 1, method: 'tools/call', params: { name: 'environment', arguments: {} } },
  { id: 2, method: 'tools/call', params: { name: 'leave', arguments: {} } },
];

/** Starts a server and sends it messages, each when the one before was answered. */
function talk(
  args: readonly string[],
  messages: readonly object[],
  variables: Record<string, string> = environment,
) {
  const child = start(args, variables);
  const lines = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const send = () => {
    for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
      child.stdin?.write(line);
      if (line.includes('"id"')) return;
    }
    child.stdin?.end();
  };
  // A notification is no answer.
  child.stdout?.on('data', (chunk: Buffer) => chunk.includes('"id"') && send());
  send();
  return child;
}

describe('Without a ledger', () => {
  const CALLS = [
    ...INITIALIZE,
    ...[1, 2, 3].map((id) => {
      const params = { name: 'issue_refund', arguments: { id, note: 'x'.repeat(1000) } };
      return { id, method: 'tools/call', params };
    }),
  ];

  async function listen(server: Server): Promise<string> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  it('Output is the same if the ledger is absent, silent or broken, and decisions stay in the outbox', async () => {
    const direct = await see(talk([SHOP], CALLS));
    const silent = createServer();
    const broken = createServer((socket) => {
      socket.on('error', () => undefined).end('HTTP/1.1 500 no\r\n\r\n<html>');
    });
    const urls = [await listen(silent), await listen(broken), 'http://127.0.0.1:1'];
    const lonely = async (LEDGER_URL: string, index: number) => {
      const outbox = join(folder, `lonely-${index}`);
      const all = ['--agent', 'lonely', '--config', config, '--outbox', outbox];
      const args = behindProxy([process.execPath, SHOP], all);
      const { stdout, code } = await see(talk(args, CALLS, { ...environment, LEDGER_URL }));
      return { stdout, code, kept: keptIn(outbox) };
    };
    const { stdout, code } = direct;
    expect(await Promise.all(urls.map(lonely))).toEqual(
      urls.map(() => ({ stdout, code, kept: 3 })),
    );
    silent.close();
    broken.close();

    const outbox = join(folder, 'lonely-0');
    const next = new Ledger({ url: service.url, key: environment.LEDGER_KEY, outbox });
    await next.close();
    expect(await recorded('lonely')).toHaveLength(3);
  });

  it('An outbox that cannot be written stops nothing', async () => {
    const outbox = join(folder, 'a-file');
    writeFileSync(outbox, '');
    const args = ['--agent', 'diskless', '--config', config, '--outbox', outbox];
    const proxied = await see(talk(behindProxy([process.execPath, SHOP], args), CALLS));
    expect(proxied.stderr).toContain('cannot be used, decisions are kept in memory alone');
    expect(await recorded('diskless')).toHaveLength(3);
  });
});

/** Decisions in the files of an outbox. */
function keptIn(outbox: string): number {
  const files = readdirSync(outbox, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  return texts.join('').match(/"agent_id":"lonely"/g)?.length ?? 0;
}

describe.concurrent('What is refused', () => {
  it.each([
    ['no agent', [], {}, 'name the agent'],
    ['no address', ['--agent', 'a'], { LEDGER_URL: '' }, 'LEDGER_URL'],
    ['no key', ['--agent', 'a'], { LEDGER_KEY: '' }, 'LEDGER_KEY'],
    [
      'an address of something else',
      ['--agent', 'a'],
      { LEDGER_URL: 'nowhere' },
      'LEDGER_URL is nowhere',
    ],
  ])('With %s, nothing starts', async (_what, args, more, problem) => {
    const home = join(folder, 'home');
    mkdirSync(home, { recursive: true });
    const full = { ...environment, HOME: home, ...more };
    const { code, stdout, stderr } = await see(
      start(behindProxy([process.execPath, SHOP], args), full),
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(problem);
    expect(stderr).not.toContain('the shop is open');
  });

  it('A command that does not exist is named', async () => {
    const args = behindProxy(['/no/such/program'], options('none'));
    const { code, stderr } = await see(start(args, environment));
    expect(code).toBe(2);
    expect(stderr).toContain('the command cannot be started: spawn /no/such/program ENOENT');
  });

  it('A configuration with a wrong field is refused by name', async () => {
    const file = join(folder, 'wrong.json');
    writeFileSync(file, '{"tools": {"pay": {"confidence": ["fixed:2"]}}}');
    const args = behindProxy([process.execPath, SHOP], ['--agent', 'a', '--config', file]);
    const { code, stderr } = await see(start(args, environment));
    expect(code).toBe(2);
    expect(stderr).toContain('`argument:PATH`, or `fixed:` and a number from 0 to 1');
  });
});

it('The example ends in three decisions, a valid chain and their exposure', async () => {
  const cwd = join(folder, 'example');
  mkdirSync(cwd);
  const { stdout, stderr, code } = await see(
    start([join(ROOT, 'examples/mcp-proxy/agent.js')], environment, cwd),
  );
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const [first, ...rest] = stdout.trimEnd().split('\n');
  expect(first).toMatch(/^\d+ decisions, chain valid$/);
  expect(rest).toEqual([
    expect.stringMatching(/^refund, confidence 0\.93: done, exposure \d+\.\d\d USD$/),
    expect.stringMatching(/^refund, confidence 0\.93: done, exposure \d+\.\d\d USD$/),
    expect.stringMatching(/^cancel_order, confidence 0\.6: failed, exposure \d+\.\d\d USD$/),
  ]);
});
