import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../server/test/support/paths.js';
import {
  embeddedEnvironment,
  readKeys,
  runCommand,
  type ServiceProcess,
  startService,
} from '../../../server/test/support/service-process.js';
import { AI_SDK } from './support/ai-sdk-node.js';

const folder = mkdtempSync(join(tmpdir(), 'ledger-agents-'));
const environment = embeddedEnvironment(join(folder, 'data'));
let service: ServiceProcess;

beforeAll(async () => {
  service = await startService(environment);
});
afterAll(async () => {
  const verified = await runCommand(['verify', '--mode', 'live', '--json'], environment);
  await service.stop();
  rmSync(folder, { recursive: true });
  expect(JSON.parse(verified.stdout)).toMatchObject({ is_valid: true });
});

/** The lines that an example prints. */
function run(name: string): string[] {
  const { PATH = '' } = process.env;
  const { live } = readKeys(join(folder, 'data'));
  const env = { PATH, LEDGER_URL: service.url, LEDGER_KEY: live };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'examples/agents', name)],
    { cwd: folder, env, encoding: 'utf8', timeout: 60_000 },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}

/** A line about a decision with money at risk. */
const atRisk = (start: string) =>
  expect.stringMatching(
    new RegExp(`^${start}, \\{.*\\}: done, exposure (?!0\\.00)\\d+\\.\\d\\d USD$`),
  );
/** One about a decision that was rejected. */
const rejected = (start: string) =>
  expect.stringMatching(
    new RegExp(`^${start}, \\{"approved":false.*\\}: denied, exposure 0\\.00 USD$`),
  );

describe.skipIf(AI_SDK.isTooOld)(`the example of the Vercel AI SDK${AI_SDK.note}`, () => {
  it('It ends in a valid chain and the exposure of each decision', () => {
    expect(run('ai-sdk.js')).toEqual([
      '3 decisions of refund-agent, chain valid',
      atRisk('refund'),
      atRisk('refund with a person'),
      rejected('refund with a person'),
    ]);
  });
});

it('The example of LangGraph ends in a valid chain and the exposure of each decision', () => {
  expect(run('langgraph.js')).toEqual([
    '3 decisions of refund-graph, chain valid',
    atRisk('refund'),
    atRisk('refund with a person'),
    rejected('refund with a person'),
  ]);
});

it('The example of the OpenAI Agents SDK ends in a valid chain and the exposure of each decision', () => {
  expect(run('openai-agents.js')).toEqual([
    '3 decisions of billing, chain valid',
    atRisk('refund'),
    atRisk('refund with a person'),
    rejected('refund with a person'),
  ]);
});
