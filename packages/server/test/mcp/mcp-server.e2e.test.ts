import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Ledger } from '@decision-ledger/client';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROGRAM } from '../support/program.js';
import {
  embeddedEnvironment,
  readKeys,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';
import { until } from '../support/webhooks.js';
import { see, start } from './support/proxy-process.js';

const folder = mkdtempSync(join(tmpdir(), 'ledger-mcp-server-'));
let service: ServiceProcess;
let environment: Record<'LEDGER_URL' | 'LEDGER_KEY', string>;

beforeAll(async () => {
  const data = join(folder, 'data');
  service = await startService(embeddedEnvironment(data));
  environment = { LEDGER_URL: service.url, LEDGER_KEY: readKeys(data).live };
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

type Calls = Pick<Client, 'close'> & {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
};

function parameters(agent: string, more: Record<string, string> = {}) {
  const { PATH = '' } = process.env;
  const args = [PROGRAM, 'mcp', '--agent', agent, '--outbox', join(folder, `outbox-${agent}`)];
  return {
    ...{ command: process.execPath, args, env: { PATH, ...environment, ...more } },
    stderr: 'ignore' as const,
  };
}

async function connect(
  agent: string,
  mode: 'auto' | 'legacy',
  more: Record<string, string> = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport(parameters(agent, more)));
  return client;
}

const CLIENTS: Readonly<Record<string, (agent: string) => Promise<Calls>>> = {
  'client-2-of-2026': (agent) => connect(agent, 'auto'),
  'client-2-of-2025': (agent) => connect(agent, 'legacy'),
  'client-1': async (agent) => {
    const client = new FirstClient({ name: 'test', version: '1' });
    await client.connect(new FirstTransport(parameters(agent)));
    return client;
  },
};

const DECISION = {
  action_type: 'refund',
  inputs: { order: 'A-1', amount: '49.00' },
  outputs: { approved: true },
  confidence: 0.9,
};

/** The decisions of an agent that the ledger has. */
async function recordedBy(agent_id: string) {
  const ledger = new Ledger({ url: environment.LEDGER_URL, key: environment.LEDGER_KEY });
  const decisions = await ledger.decisions.list({ agent_id }).toArray();
  await ledger.close();
  return decisions;
}

/** The texts of a result. */
function textsOf(result: object): string[] {
  const content: unknown = 'content' in result ? result.content : null;
  if (!Array.isArray(content)) throw new Error('the result has no content');
  return content.map((part: { text: string }) => part.text);
}

it.each(Object.entries(CLIENTS))(
  '%s records decisions of the configured agent, and reads nothing without a second key',
  async (name, open) => {
    const client = await open(name);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['record_decision']);
    const record = (input: object) =>
      client.callTool({ name: 'record_decision', arguments: { ...input } });
    const [receipt = ''] = textsOf(await record(DECISION));
    expect(JSON.parse(receipt)).toMatchObject({ accepted: true, session_seq: 1 });
    for (const [wrong, problem] of [
      [{ ...DECISION, agent_id: 'another' }, 'agent_id'],
      [{ ...DECISION, confidence: 1.5 }, 'confidence'],
      [{ ...DECISION, human_in_loop: true }, 'human_in_loop'],
      [{ ...DECISION, metadata: { reviewer_id: 'r' } }, 'reviewer_id'],
    ] as const) {
      const result = await record(wrong);
      expect(result).toMatchObject({ isError: true });
      expect(textsOf(result).join('')).toContain(problem);
    }
    await expect(client.callTool({ name: 'get_decision', arguments: {} })).rejects.toThrow(
      'there is no such tool',
    );
    // A client kills a server that does not end at once, so nothing may be left to deliver.
    await until('the decision is delivered', async () => (await recordedBy(name)).length === 1);
    await client.close();
  },
);

it('With a second key, an agent finds, reads and verifies what was recorded, marked as untrusted', async () => {
  const client = await connect('reader', 'auto', { LEDGER_READ_KEY: environment.LEDGER_KEY });
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: input });
    expect(result.isError).toBeUndefined();
    const [warning, json = ''] = textsOf(result);
    expect(warning).toContain('untrusted content');
    return JSON.parse(json);
  };
  expect(await call('verify_chain')).toMatchObject({ is_valid: true, records_checked: 3 });
  for (const agent_id of Object.keys(CLIENTS)) {
    const { decisions } = await call('search_decisions', { agent_id });
    expect(decisions).toMatchObject([{ ...DECISION, agent_id, metadata: { session_seq: 1 } }]);
    const { decision_id } = decisions[0];
    expect(await call('get_decision', { decision_id })).toMatchObject({ decision_id, links: [] });
    const { liability } = await call('explain_exposure', { decision_id });
    expect(liability).toMatchObject({
      parts: { amount_at_risk: '49.00', amount_basis: 'claimed' },
    });
  }
  const missing = await client.callTool({
    name: 'get_decision',
    arguments: { decision_id: 'dec_0' },
  });
  expect(missing).toMatchObject({ isError: true });
  await client.close();
});

it('Every line has one clear answer, and the end of the input ends the command', async () => {
  const { args, env } = parameters('raw');
  const child = start(args, env);
  const seen = see(child);
  const version = { 'io.modelcontextprotocol/protocolVersion': '2030-01-01' };
  const lines = [
    ...['not json', '[]', '{"id":1}', '{"id":2,"method":"nothing"}', '{"id":3,"result":{}}', ''],
    `{"id":4,"method":"tools/call","params":{"name":"record_decision","arguments":{"n":${'9'.repeat(20)}}}}`,
    JSON.stringify({ id: 5, method: 'tools/list', params: { _meta: version } }),
    JSON.stringify({ id: 6, method: 'ping', params: { text: 'x'.repeat(5_000_000) } }),
    '{"id":7,"method":"ping"}',
  ];
  child.stdin?.end(`${lines.join('\n')}\n`);
  const { stdout, stderr, code } = await seen;
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const outcome = answers.map(({ id, result, error }) => [
    id,
    error?.code ?? (result.isError === true ? 'refused' : result),
  ]);
  expect(outcome.sort()).toEqual(
    [
      [null, -32700],
      [null, -32600],
      [null, -32600],
      [2, -32601],
      // A number that a float would change is a value like any other: the tool refuses the member.
      [4, 'refused'],
      [5, -32022],
      [null, -32600],
      [7, {}],
    ].sort(),
  );
});

it('A signal ends the command after it delivered what it accepted', async () => {
  const { args, env } = parameters('signalled');
  const child = start(args, env);
  const seen = see(child);
  const params = { name: 'record_decision', arguments: DECISION };
  child.stdout?.once('data', () => child.kill('SIGTERM'));
  child.stdin?.write(`${JSON.stringify({ id: 1, method: 'tools/call', params })}\n`);
  expect(await seen).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(await recordedBy('signalled')).toMatchObject([DECISION]);
});

it('Without a ledger, decisions are accepted and reads fail with a reason', async () => {
  const lost = { LEDGER_URL: 'http://127.0.0.1:1', LEDGER_READ_KEY: 'k' };
  const client = await connect('lonely', 'legacy', lost);
  const accepted = await client.callTool({ name: 'record_decision', arguments: DECISION });
  expect(textsOf(accepted).join('')).toContain('"accepted":true');
  const read = await client.callTool({ name: 'verify_chain', arguments: {} });
  expect(read).toMatchObject({ isError: true });
  await client.close();
});
