import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCaller } from '../support/caller.js';
import { embeddedConnection } from '../support/embedded.js';
import { ROOT } from '../support/paths.js';
import {
  type Environment,
  embeddedEnvironment,
  readKeys,
  runCommand,
  type ServiceProcess,
  startCommand,
  startService,
} from '../support/service-process.js';
import { withClient } from '../support/stored-chain.js';
import { runShell } from './support/shell.js';

const DAY = resolve(ROOT, 'examples/first-day');
const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-cli-manage-'));
const dataDir = join(folder, 'data');
const environment: Environment = embeddedEnvironment(dataDir);
const TEST = ['--org', 'default', '--mode', 'test'];
const LIVE = ['--org', 'default', '--mode', 'live'];
const RANGE = ['--type', 'forensic', '--start', '2026-04-16', '--end', '2026-04-16'];
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
let service: ServiceProcess | null = null;

const run = (...args: string[]) => runCommand(args, environment);

async function runJson(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

async function stop(): Promise<void> {
  await service?.stop();
  service = null;
}

beforeAll(async () => {
  service = await startService(environment);
  await runJson('import', join(DAY, 'decisions.ndjson'), ...TEST);
  await runJson('import', join(DAY, 'events.ndjson'), ...TEST);
});
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

describe('Derived rows', () => {
  it('A rebuild names what differed while the service runs', async () => {
    await withClient(await embeddedConnection(dataDir), (owner) =>
      owner.query(`update decisions d set terms = '{1}' from ledgers l
        where l.ledger_id = d.ledger_id and l.mode = 'test' and d.seq = 2`),
    );
    const first = await run('rebuild', '--mode', 'test', '--only', 'search-terms');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /^default test search-terms: \d+ rows, 0 added, 1 replaced, 0 removed\n {2}replaced: seq 2\n$/,
    );
    const again = await runJson('rebuild', '--mode', 'test');
    expect(again).toMatchObject({ is_whole: true, ledgers: [{ mode: 'test', damage: [] }] });
    for (const made of again.ledgers[0].projections) {
      expect(made).toMatchObject({ added: 0, replaced: 0, removed: 0, differences: [] });
    }
  });

  it('A rebuild that fails for one ledger says so, and makes those of the others', async () => {
    const asOwner = async (statements: string) =>
      withClient(await embeddedConnection(dataDir), (owner) => owner.query(statements));
    await asOwner(`insert into event_observations (ledger_id, seq, event_id, observation)
        select ledger_id, 1000000, gen_random_uuid(), '{' from ledgers where mode = 'live';
      update decisions d set terms = '{1}' from ledgers l
        where l.ledger_id = d.ledger_id and l.mode = 'test' and d.seq = 2`);
    const { code, stdout } = await run('rebuild');
    await asOwner('delete from event_observations where seq = 1000000');
    expect(code).toBe(1);
    expect(stdout).toContain('default live token-frequencies: 0 rows, nothing differed\n');
    expect(stdout).toMatch(/^default live: FAILED: .+; run the command again$/m);
    expect(stdout).toMatch(/^default test search-terms: .+\n {2}replaced: seq 2$/m);
    expect(stdout).toContain('default test log-trees:');
  });

  it('A rebuild of an unknown projection lists those that there are', async () => {
    const { code, stderr } = await run('rebuild', '--only', 'scores');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'choose one of search-terms, assignments, running-costs, movements, counted-amounts',
    );
  });
});

describe('Settings', () => {
  it('Settings are shown whole or by path, with defaults', async () => {
    expect(await runJson('settings', 'get', ...TEST)).toMatchObject({ base_currency: 'USD' });
    expect(await runJson('settings', 'get', 'rate_limits.exports_per_hour', ...TEST)).toBe(1);
    const wrong = await run('settings', 'get', 'rate_limit', ...TEST);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('The settings hold rate_limits, base_currency');
  });

  it('Settings are changed as by PATCH /settings: validated, recorded and visible to the API', async () => {
    const changed = await runJson('settings', 'set', '{"base_currency":"EUR"}', ...TEST);
    expect(changed).toMatchObject({ base_currency: 'EUR' });
    const caller = createCaller(service?.url ?? '', readKeys(dataDir).test);
    const { body } = await caller.call('GET', '/api/v1/activity');
    expect(JSON.stringify(body)).toContain('"patch":{"base_currency":"EUR"}');
    caller.close();
    await runJson('settings', 'set', '{"base_currency":null}', ...TEST);
    const wrong = await run('settings', 'set', '{"base_currency":1,"colour":"red"}', ...TEST);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('base_currency: ');
    expect(wrong.stderr).toContain('colour: is not a known field');
    const shared = await run('settings', 'set', '{"stream":{"max_connections":5}}', ...TEST);
    expect(shared.stderr).toContain('change it with a live key');
    expect((await run('settings', 'set', '[]', ...TEST)).code).toBe(2);
  });

  it('Secrets are read from a file or standard input, never from an argument, and masked', async () => {
    const patch = JSON.stringify({ alerts: { secret: SECRET } });
    const refused = await run('settings', 'set', patch, ...TEST);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('alerts.secret is a secret');
    expect(refused.stderr).not.toContain(SECRET);
    const file = join(folder, 'patch.json');
    writeFileSync(file, patch);
    const shown = await runJson('settings', 'set', '--file', file, ...TEST);
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    expect(shown.alerts.secret).toMatch(/^\*{8}/);
    const script = `decision-ledger settings set --file - ${TEST.join(' ')} --json < patch.json`;
    const piped = await runShell(script, environment, { cwd: folder });
    expect(JSON.parse(piped.stdout)).toEqual(shown);
    // The shown mask keeps the secret without being one.
    const mask = JSON.stringify({ alerts: { secret: shown.alerts.secret } });
    expect(await runJson('settings', 'set', mask, ...TEST)).toEqual(shown);
  });
});

describe('Suggested links', () => {
  it('Suggested links are listed with what they join, and reviewed by id', async () => {
    const { links, has_more } = await runJson('links', 'review', ...TEST);
    expect(has_more).toBe(false);
    expect(links.length).toBeGreaterThan(15);
    const [first, second, third] = links;
    expect(first).toMatchObject({
      status: 'ML_SUGGESTED',
      decision: { agent_id: 'support-agent' },
      financial_event: { currency: 'USD' },
    });
    const listed = await run('links', 'review', ...TEST);
    expect(listed.stdout).toContain(`${first.id}  `);
    const verdicts = ['--confirm', first.id, second.id, '--reject', third.id];
    const settled = await runJson('links', 'review', ...verdicts, ...TEST);
    const statuses = settled.links.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['ML_INFERRED', 'ML_INFERRED', 'REJECTED']);
    const again = await run('links', 'review', '--confirm', first.id, ...TEST);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain(`${first.id}: only a link with status ML_SUGGESTED`);
    const both = await run('links', 'review', '--confirm', 'a', '--reject', 'a', ...TEST);
    expect(both.stderr).toContain('either confirm a link or reject it');
  });
});

describe('Organisations', () => {
  it('Organisations are listed with their ledgers', async () => {
    const { organisations } = await runJson('org', 'list');
    expect(organisations).toEqual([
      {
        org_id: expect.stringMatching(/^org_/),
        name: 'default',
        ledgers: [
          { ledger_id: expect.stringMatching(/^led_/), mode: 'live' },
          { ledger_id: expect.stringMatching(/^led_/), mode: 'test' },
        ],
      },
    ]);
  });
});

describe('Exports', () => {
  it('An export is made by the service, awaited and saved, and a second one is refused with the reason', async () => {
    const output = join(folder, 'served.zip');
    const made = await runJson('export', ...RANGE, '--wait', '--output', output, ...TEST);
    expect(made).toMatchObject({ status: 'complete', decisions: 48, output });
    expect(statSync(output).mode & 0o777).toBe(0o600);
    await expectPassed(output);
    const second = join(folder, 'second.zip');
    const refused = await run('export', ...RANGE, '--output', second, ...TEST);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('rate_limits.exports_per_hour');
    expect(refused.stderr).toMatch(/retry in \d+ minutes, at 20\d\d-/);
    expect(existsSync(second) || existsSync(`${second}.part`)).toBe(false);
    const kept = await run('export', '--id', made.export_id, '--output', second, ...TEST);
    expect(kept.code).toBe(0);
    expect(readFileSync(second)).toEqual(readFileSync(output));
  });

  it('An export never overwrites a file, and is not requested if it cannot be saved', async () => {
    const raise = { rate_limits: { exports_per_hour: 2 } };
    await runJson('settings', 'set', JSON.stringify(raise), ...LIVE);
    const there = await run('export', ...RANGE, '--output', join(folder, 'served.zip'), ...TEST);
    expect(there.stderr).toContain('already exists');
    const nowhere = await run('export', ...RANGE, '--output', join(folder, 'no/where'), ...TEST);
    expect(nowhere.stderr).toContain('cannot be written (ENOENT)');
    const incomplete = await run('export', '--type', 'forensic', ...TEST);
    expect(incomplete.stderr).toContain('needs --type, --start and --end');
    expect(incomplete.code).toBe(2);
  });

  it('The command makes an export itself if no service runs', async () => {
    await stop();
    const output = join(folder, 'alone.zip');
    const made = await runJson('export', ...RANGE, '--output', output, ...TEST);
    expect(made).toMatchObject({ status: 'complete', decisions: 48 });
    await expectPassed(output);
    // The service that starts later finds nothing left to do.
    service = await startService(environment);
    const { chains } = await runJson('verify', ...TEST);
    expect(chains).toHaveLength(2);
    expect(await runJson('export', '--id', made.export_id, ...TEST)).toMatchObject({
      status: 'complete',
      sha256: made.sha256,
    });
  });

  it('An export that was only requested is made when a command waits for it', async () => {
    const raise = { rate_limits: { exports_per_hour: 3 } };
    await runJson('settings', 'set', JSON.stringify(raise), ...LIVE);
    await stop();
    const asked = await run('export', ...RANGE, ...TEST);
    const [id = ''] = /exp_[0-9a-z]+/.exec(asked.stdout) ?? [];
    expect(asked.stdout).toContain(`${id} is pending`);
    expect(await runJson('export', '--id', id, '--wait', ...TEST)).toMatchObject({
      export_id: id,
      status: 'complete',
    });
  });
});

async function expectPassed(path: string): Promise<void> {
  const { stdout } = await runShell(`decision-ledger-verify '${path}' --json || [ $? = 3 ]`, {});
  expect(JSON.parse(stdout).verdicts).toMatchObject({
    integrity: { verdict: 'pass' },
    completeness: {
      verdict: 'unproven',
      findings: [{ code: 'log_unwitnessed' }],
    },
  });
}

describe('Command serve', () => {
  it('The serve command takes port and address as options and reports its address in JSON', async () => {
    await stop();
    const command = startCommand(['serve', '--port', '0', '--host', '127.0.0.1', '--json'], {
      ...environment,
      LEDGER_PORT: '1',
      LEDGER_LOG_LEVEL: 'silent',
    });
    await expect.poll(() => command.stdout()).toMatch(/\n$/);
    command.stop();
    const { code, stdout } = await command.ended;
    expect(code).toBe(0);
    const { url, role, organisation } = JSON.parse(stdout);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d{4,5}$/);
    expect({ role, organisation }).toEqual({ role: 'all', organisation: null });
  });
});
