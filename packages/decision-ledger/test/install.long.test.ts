import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  installPackages,
  npm,
  packPackages,
  publicPackages,
} from '../../../scripts/support/packed.js';
import { sizeOf } from '../../../scripts/support/production.js';
import { compile, lintFindings, typeFindings } from './support/checked-packages.js';
import { recordFirstDecision } from './support/first-decision.js';
import { run, start } from './support/installed.js';

/** What an install of `decision-ledger` may take on disk, as bytes of its files. */
const MAX_BYTES = 90_000_000;
const BUNDLES = resolve(import.meta.dirname, '../../../vectors/bundles');

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-install-'));
const installed = join(folder, 'installed');
let archives: string[];

beforeAll(() => {
  archives = packPackages(join(folder, 'packed'));
  installPackages(installed, archives, ['--cache', join(folder, 'cache')]);
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('An install from an empty cache is the service, which records a decision that verifies', async () => {
  await recordFirstDecision(installed);
});

it('The installed program is started by npx', () => {
  const { status, stdout } = spawnSync('npx', ['--no', 'decision-ledger', '--version'], {
    ...{ cwd: installed, encoding: 'utf8' },
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '0.14.0\n' });
});

it('The demo prepares a year and answers its dashboard, with all files of its page', async () => {
  const demo = start(installed, ['demo', '--cases', '100', '--port', '0', '--json']);
  try {
    const { url, key } = JSON.parse(await demo.printed(/\n$/));
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    const assets = [...(await page.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)];
    expect(assets.length).toBeGreaterThan(0);
    for (const [, path] of assets) expect((await fetch(`${url}${path}`)).status).toBe(200);
    const listed = await fetch(`${url}/api/v1/decisions?limit=1`, {
      headers: { 'x-ledger-key': key },
    });
    expect(await listed.json()).toMatchObject({ data: { decisions: [{}] } });
  } finally {
    expect((await demo.stop()).code).toBe(0);
  }
});

it('The command verify-bundle accepts a genuine bundle and refuses an edited one', async () => {
  const check = (name: string) => run(installed, 'verify-bundle', join(BUNDLES, name), '--json');
  const good = await check('good-forensic.zip');
  expect(good.code).toBe(3);
  expect(JSON.parse(good.stdout)).toMatchObject({ verdicts: { integrity: { verdict: 'pass' } } });
  const bad = await check('bad-byte.zip');
  expect(bad.code).toBe(1);
  expect(JSON.parse(bad.stdout)).toMatchObject({ verdicts: { integrity: { verdict: 'fail' } } });
});

it('The command verify-bundle finds in each vector what is written beside it', async () => {
  const listed: Listed = JSON.parse(readFileSync(join(BUNDLES, 'expected.json'), 'utf8'));
  for (const { file, previous, verdicts } of listed.bundles) {
    const earlier = previous === undefined ? [] : ['--previous', join(BUNDLES, previous)];
    const key = ['--key-fingerprint', listed.key_fingerprint];
    const { stdout } = await run(
      installed,
      'verify-bundle',
      join(BUNDLES, file),
      ...[...earlier, ...key, '--json'],
    );
    const report: { verdicts: Record<string, { verdict: string; findings: { code: string }[] }> } =
      JSON.parse(stdout);
    const found = Object.entries(report.verdicts).map(([name, { verdict, findings }]) => [
      name,
      { verdict, codes: findings.map(({ code }) => code) },
    ]);
    expect({ file, verdicts: Object.fromEntries(found) }).toEqual({ file, verdicts });
  }
});

interface Listed {
  readonly key_fingerprint: string;
  readonly bundles: readonly {
    readonly file: string;
    readonly previous?: string;
    readonly verdicts: object;
  }[];
}

it('The client is loaded as an ES module, and its types compile under both resolutions', () => {
  const text = `import { Ledger } from '@decision-ledger/client';
const ledger = new Ledger({ url: 'http://127.0.0.1:9', key: 'k' });
ledger.record({ agent_id: 'a', action_type: 'b', inputs: {}, outputs: {}, confidence: 0.5 });
`;
  writeFileSync(join(installed, 'caller.mts'), text);
  writeFileSync(join(installed, 'wrong.mts'), text.replace('0.5', "'much'"));
  const resolutions = [
    ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ];
  for (const options of resolutions) {
    expect(compile(installed, [...options, 'caller.mts'])).toBe('');
    expect(compile(installed, [...options, 'wrong.mts'])).toMatch(/wrong\.mts\(3,.*TS2322/);
  }
  const loading = "import { Ledger } from '@decision-ledger/client'; console.log(Ledger.name)";
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', loading], {
    ...{ cwd: installed, encoding: 'utf8' },
  });
  expect(stdout).toBe('Ledger\n');
});

it('Neither publint nor attw finds anything in a package', async () => {
  expect(await lintFindings()).toEqual([]);
  // The two packages of the service export programs, without types.
  const typed = archives.filter((path) => !/decision-ledger-(server-)?\d/.test(path));
  expect(typed).toHaveLength(publicPackages().length - 2);
  expect(typed.map(typeFindings).join('')).toBe('');
});

it('The install stays within its budget, and its bill of materials names what it runs on', () => {
  expect(sizeOf(join(installed, 'node_modules'))).toBeLessThan(MAX_BYTES);
  const sbom = JSON.parse(npm(['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], installed));
  const names = sbom.components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'server']));
  expect(names).not.toContain('stripe');
});
