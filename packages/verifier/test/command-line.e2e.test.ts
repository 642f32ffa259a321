import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { presentationText } from '@decision-ledger/proof/presentation/format';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pack } from './support/bundle.js';
import { draftAt, draftOf } from './support/draft.js';
import { editManifest, editRows } from './support/edit.js';
import { overwritten } from './support/files-in.js';
import { testKey } from './support/keys.js';
import { checkpointOf, signRound, startLogs } from './support/logs.js';
import { presentation } from './support/presentation.js';
import { fullStory } from './support/samples.js';
import { Story } from './support/story.js';

const PROGRAM = fileURLToPath(new URL('../bin/decision-ledger-verify.js', import.meta.url));
const DOCS = fileURLToPath(new URL('../../../docs/verifier.md', import.meta.url));
const { fingerprint } = testKey('first');

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'decision-ledger-verify-'));
  const story = fullStory();
  writeFileSync(at('old.zip'), await pack(draftOf(story)));
  story.decide();
  writeFileSync(at('bundle.zip'), await pack(draftOf(story)));
  writeFileSync(at('test.zip'), await pack(draftOf(fullStory({ mode: 'test' }))));
  const changed = editRows(draftOf(story), 'events.json', (rows) => rows.slice(1));
  writeFileSync(at('changed.zip'), await pack(changed));
  writeFileSync(at('other-key.zip'), await pack(draftOf(story, { key: testKey('second') })));
  const logged = new Story();
  startLogs(logged);
  logged.decide();
  logged.wait(90 * 24 * 60);
  writeFileSync(at('logged.zip'), await pack(draftAt(logged, signRound(logged))));
  for (const name of ['x', 'y']) logged.act('key.issued', `key_${name}`, { name });
  writeFileSync(at('kept.txt'), checkpointOf(logged, 'activity', 4));
  // The bundle has 5 entries.
  writeFileSync(at('later.txt'), checkpointOf(logged, 'activity', 6));
  writeFileSync(at('strange.txt'), checkpointOf(logged, 'activity', 4, 9));
  const wrong = editManifest(draftOf(story), { export_id: 'exp_\u001b[31m\u009b31m\u202e' });
  wrong.files.set('links.json', Buffer.from(`[\n${'{},\n'.repeat(49)}{}\n]\n`));
  writeFileSync(at('wrong.zip'), await pack(wrong));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function verify(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('decision-ledger-verify', () => {
  test('The command shows four verdicts and what each rests on', () => {
    const { status, stdout, stderr } = verify(at('bundle.zip'), '--key-fingerprint', fingerprint);
    expect({ status, stderr }).toEqual({ status: 3, stderr: '' });
    expect(stdout).toContain('integrity: PASS (basis: key)');
    expect(stdout).toContain('completeness: UNPROVEN (basis: key)');
    expect(stdout).toContain('authenticity: PASS (basis: key)');
    expect(stdout).toContain('time: UNPROVEN (basis: key)');
  });

  test('The command exits with 3 if the signer or the completeness is unproven', () => {
    const { status, stdout } = verify(at('bundle.zip'));
    expect(status).toBe(3);
    expect(stdout).toContain('authenticity: UNPROVEN (basis: self)');
    expect(stdout).toContain(fingerprint);
  });

  const WAIVED = ['--allow-unproven', 'completeness'];
  test.each([
    [WAIVED, 3],
    [[...WAIVED, '--allow-unproven', 'authenticity'], 0],
    [[...WAIVED, '--key-fingerprint', fingerprint], 0],
    [[...WAIVED, '--key-fingerprint', fingerprint, '--require', 'time'], 3],
    [[...WAIVED, '--key-fingerprint', '0'.repeat(64)], 1],
  ])('With %j, the exit code is %i', (args, status) => {
    expect(verify(at('bundle.zip'), ...args)).toMatchObject({ status });
  });

  test('A checkpoint that was kept proves the range, and the exit code is 0', () => {
    const args = [at('logged.zip'), '--key-fingerprint', fingerprint];
    expect(verify(...args)).toMatchObject({ status: 3 });
    const { status, stdout } = verify(...args, '--checkpoint', at('kept.txt'));
    expect(status).toBe(0);
    expect(stdout).toContain('completeness: PASS (basis: witnessed)');
    const fresh = verify(...args, '--checkpoint', at('later.txt'));
    expect(fresh).toMatchObject({ status: 3 });
    expect(fresh.stdout).toContain('/api/v1/log/activity/consistency?first=4&second=6');
    expect(verify(...args, '--checkpoint', at('strange.txt'))).toMatchObject({ status: 1 });
  });

  test('A fingerprint is accepted as openssl writes it', () => {
    const colons = fingerprint.toUpperCase().replace(/..(?!$)/g, '$&:');
    expect(verify(at('bundle.zip'), '--key-fingerprint', colons).stdout).toContain(
      'authenticity: PASS',
    );
  });

  test('The command exits with 1 if a verdict fails', () => {
    expect(verify(at('changed.zip'))).toMatchObject({ status: 1 });
    expect(verify(at('other-key.zip'), '--key-fingerprint', fingerprint)).toMatchObject({
      status: 1,
    });
    writeFileSync(at('none.zip'), 'no archive');
    expect(verify(at('none.zip'))).toMatchObject({ status: 1 });
  });

  test('A presentation is known by its name, and exits with 0, 1, 2 or 3', () => {
    const { verifier_key, ...rest } = presentation();
    const text = presentationText({ ...rest, verifier_key });
    writeFileSync(at('one.dlp.json'), text);
    const keys = [verifier_key, rest.erasures?.verifier_key ?? ''];
    const pinned = keys.flatMap((key) => ['--log-key', key]);
    const good = verify(at('one.dlp.json'), ...pinned);
    expect(good).toMatchObject({ status: 0, stderr: '' });
    expect(good.stdout).toContain('authenticity: PASS (basis: key)');
    expect(verify(at('one.dlp.json'))).toMatchObject({ status: 3 });
    writeFileSync(at('bad.DLP.JSON'), text.replace('quoted', 'chosen'));
    const bad = verify(at('bad.DLP.JSON'), '--json', ...pinned);
    expect(bad.status).toBe(1);
    expect(JSON.parse(bad.stdout).verdicts.integrity.findings[0].code).toBe('value_differs');
    writeFileSync(at('bytes.json'), Buffer.of(0xff, 0xfe));
    expect(verify(at('bytes.json'))).toMatchObject({ status: 2 });
    expect(verify(at('one.dlp.json'), '--log-key', 'x')).toMatchObject({ status: 2 });
    expect(verify(at('one.dlp.json'), '--previous', at('old.zip'))).toMatchObject({ status: 2 });
  });

  test('An error saved in place of a bundle is shown, and the exit code is that of a broken archive', () => {
    const error = { code: 'unauthorized', message: 'invalid or missing api key' };
    writeFileSync(at('error.zip'), JSON.stringify({ error }));
    const { status, stdout } = verify(at('error.zip'));
    expect(status).toBe(1);
    expect(stdout).toContain('unauthorized: invalid or missing api key. Send a valid API key');
  });

  test('The output shows 20 findings per verdict, the number of others, and no control characters', () => {
    const { stdout } = verify(at('wrong.zip'));
    expect(stdout.match(/ {2}- record_unreadable/g)).toHaveLength(20);
    expect(stdout).toContain('  and 31 more');
    expect(stdout).not.toMatch(/[\u001b\u009b\u202e]/);
    expect(verify('--json', at('wrong.zip')).stdout).not.toMatch(/[\u001b\u009b\u202e]/);
  });

  test('The whole report is printed as JSON', () => {
    const { status, stdout } = verify('--json', at('wrong.zip'));
    expect(status).toBe(1);
    const report = JSON.parse(stdout);
    expect(report.format).toBe('decision-ledger/verification/v1');
    expect(report.verdicts.integrity.findings.length).toBe(51);
  });

  test('Every sentence about test data says so', () => {
    expect(verify(at('test.zip')).stdout.match(/TEST DATA: /g)).toHaveLength(4);
  });

  test('A bundle is checked against an earlier one', () => {
    const joined = verify(at('bundle.zip'), '--previous', at('old.zip'));
    expect(joined.stdout).toContain('continues the earlier bundle');
    const apart = verify(at('bundle.zip'), '--previous', at('wrong.zip'));
    expect(apart).toMatchObject({ status: 1 });
  });

  test('The command writes the verifier page', () => {
    const { status } = verify('--write-page', at('page.html'));
    expect(status).toBe(0);
    expect(readFileSync(at('page.html'), 'utf8')).toContain("default-src 'none'");
  });

  test.each([
    [[]],
    [['a.zip', 'b.zip']],
    [['--colour', 'x.zip']],
    [['x.zip', '--key-fingerprint', 'abc']],
    [['x.zip', '--require', 'completeness']],
    [['x.zip', '--consistency', 'proof.json']],
    [['x.zip', '--allow-unproven', 'integrity']],
    [['/nowhere/bundle.zip']],
    [['/tmp']],
    [['--write-page', '/nowhere/page.html']],
  ])('The arguments %j exit with 2 and a reason', (args) => {
    const { status, stderr } = verify(...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^decision-ledger-verify: /);
  });

  test.each([[['pipe.zip']], [['bundle.zip', '--previous', 'pipe.zip']]])(
    'A pipe without a writer exits with 2 immediately: %j',
    (args) => {
      rmSync(at('pipe.zip'), { force: true });
      execFileSync('bash', ['-c', 'mkfifo "$0"', at('pipe.zip')]);
      const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
        ...{ cwd: folder, encoding: 'utf8', timeout: 30_000 },
      });
      expect({ status, stderr }).toEqual({
        status: 2,
        stderr: expect.stringMatching(/^decision-ledger-verify: pipe\.zip is not a file/),
      });
    },
  );

  test.each(['/tmp', '/dev/null'])('The path %s is refused with 2, as it is not a file', (path) => {
    const { status, stderr } = verify(path);
    expect(status).toBe(2);
    expect(stderr).toContain(`${path} is not a file`);
  });

  test('The option --help shows the usage', () => {
    expect(verify('--help')).toMatchObject({ status: 0 });
    expect(verify('--help').stdout).toContain('--key-fingerprint');
  });
});

describe('Unwritable output', () => {
  /** A shell in which `verify` is the program. */
  function shell(script: string) {
    const env = { ...process.env, node: process.execPath, program: PROGRAM };
    const whole = `verify() { "$node" "$program" "$@"; }; ${script}`;
    const { status, stderr } = spawnSync('bash', ['-c', whole], {
      ...{ cwd: folder, encoding: 'utf8', env },
    });
    return { status, stderr };
  }

  test.each([
    ['bundle.zip', 3],
    ['--json bundle.zip', 3],
    ['changed.zip', 1],
    ['--json changed.zip', 1],
    ['--help', 0],
  ])('A missing reader of %s causes no error and keeps the exit code', (args, status) => {
    const script = `verify ${args} | true; exit "$PIPESTATUS"`;
    expect(shell(script)).toEqual({ status, stderr: '' });
  });

  test.each(['bundle.zip', 'changed.zip', '--json bundle.zip', '--help'])(
    'A full disk for the output of %s exits with 2 and a reason',
    (args) => {
      const { status, stderr } = shell(`verify ${args} >/dev/full`);
      expect(status).toBe(2);
      expect(stderr).toMatch(
        /^decision-ledger-verify: the output cannot be written: ENOSPC[^\n]*\n$/,
      );
    },
  );

  test('A partially written file exits with 2', () => {
    const { status, stderr } = shell('ulimit -f 1; verify --json bundle.zip >part.json');
    expect(status).toBe(2);
    expect(stderr).toContain('the output cannot be written: EFBIG');
  });

  test.each([
    'verify a.zip b.zip 2>/dev/full',
    'verify a.zip b.zip 2>&-',
    'verify a.zip b.zip 2>&1 | true; exit "$PIPESTATUS"',
    'verify --help >/dev/full 2>&1',
  ])('The exit code is 2 even if the reason cannot be written: %s', (script) => {
    expect(shell(script).status).toBe(2);
  });
});

describe('Commands of the documentation', () => {
  const blocks = [...readFileSync(DOCS, 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, block]) => block ?? '')
    .filter((block) => block.includes('unzip'));

  /** Runs the commands as a reader does, one after the other, in a new folder. */
  function run(bundle: string): { status: number | null; output: string } {
    const home = mkdtempSync(join(folder, 'by-hand-'));
    execFileSync('cp', [at(bundle), join(home, 'bundle.zip')]);
    const script = `set -e\n${blocks.join('\n')}`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
      cwd: home,
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  }

  test('The documented commands accept a valid bundle', () => {
    expect(blocks.length).toBeGreaterThan(0);
    const { status, output } = run('bundle.zip');
    expect(output).toContain('Verified OK');
    expect(output).toContain(fingerprint);
    expect(output.match(/: OK$/gm)).toHaveLength(14);
    expect(status).toBe(0);
  });

  test('The documented commands find a changed file', async () => {
    const zip = readFileSync(at('bundle.zip'));
    writeFileSync(at('bytes.zip'), await overwritten(zip, 'What this is', 'x'));
    const { status, output } = run('bytes.zip');
    expect(status).not.toBe(0);
    expect(output).toContain('FAILED');
  });

  test('The documented commands find a changed manifest', async () => {
    const zip = readFileSync(at('bundle.zip'));
    writeFileSync(at('manifest.zip'), await overwritten(zip, '"decision-ledger/bundle/v1"', '"x'));
    expect(run('manifest.zip').status).not.toBe(0);
  });
});
