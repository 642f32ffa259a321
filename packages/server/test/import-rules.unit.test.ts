import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, parse } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './support/paths.js';

const S = 'packages/server/src';
const KEYS = `${S}/domains/access/keys`;
const V = 'packages/verifier/src';
const RULES = ['domains', 'forbid', 'packages', 'server'].map(
  (name) => `scripts/imports/${name}.js`,
);
const ENGINES = ['amounts', 'attribution', 'experiments', 'liability', 'numerics'];
const PROGRAMS = ['demo', 'mcp', 'watch'];
const PACKAGES = [
  ...['proof', 'contract', ...ENGINES, 'embedded', 'server', 'verifier', 'client'],
  ...PROGRAMS,
];
const C = 'packages/client/src';
const E = 'packages/experiments/src';

/** rule → a file that breaks it, and what that file imports; `type` marks a type import */
const FORBIDDEN: [rule: string, from: string, to: string][] = [
  ['no-cycles', `${S}/platform/clock.ts`, './ids.js'],
  ['no-orphans', `${S}/platform/alone.ts`, ''],
  ['resolvable', `${S}/platform/clock.ts`, './nowhere.js'],
  ['declared-dependencies', `${S}/platform/clock.ts`, 'vitest'],
  ['no-tests-in-src', `${S}/platform/clock.ts`, '../../test/support/helper.js'],
  ['tests-use-the-built-code', 'packages/server/test/a.unit.test.ts', '../src/platform/clock.js'],
  ['proof-is-pure', 'packages/proof/src/entry.ts', 'node:crypto'],
  ['proof-is-pure', 'packages/proof/src/entry.ts', '@decision-ledger/contract/errors'],
  ['proof-hashes-in-one-place', 'packages/proof/src/hash.ts', 'node:fs'],
  ['contract-is-pure', 'packages/contract/src/errors.ts', 'node:fs'],
  ['contract-is-pure', 'packages/contract/src/errors.ts', '@decision-ledger/proof/entry'],
  ['contract-is-pure', 'packages/contract/src/errors.ts', '@decision-ledger/proof/bundle/manifest'],
  ['numerics-is-pure', 'packages/numerics/src/cholesky.ts', '@decision-ledger/contract/fold'],
  ['engines-know-nothing', `${E}/tally.ts`, 'node:fs'],
  ['engines-know-nothing', `${E}/tally.ts`, '@decision-ledger/contract/errors'],
  ['engines-know-nothing', `${E}/tally.ts`, '@decision-ledger/proof/entry'],
  ['engines-take-types', `${E}/tally.ts`, 'type @decision-ledger/embedded/engine'],
  ['watch-stands-alone', 'packages/watch/src/watch.ts', '@decision-ledger/embedded/engine'],
  ['watch-stands-alone', 'packages/watch/src/watch.ts', '@decision-ledger/contract/errors'],
  ['mcp-stands-on-the-client', 'packages/mcp/src/lines.ts', '@decision-ledger/embedded/engine'],
  ['demo-is-pure', 'packages/demo/src/year.ts', 'node:fs'],
  ['embedded-stands-alone', 'packages/embedded/src/engine.ts', '@decision-ledger/proof/entry'],
  ['client-stands-alone', `${C}/http.ts`, 'node:fs'],
  ['client-stands-alone', `${C}/http.ts`, '@decision-ledger/contract/errors'],
  ['client-on-node', `${C}/node/runtime.ts`, '@decision-ledger/contract/errors'],
  ['client-node-from-its-entry', `${C}/http.ts`, './node/runtime.js'],
  ['verifier-stands-alone', `${V}/verify.ts`, '@decision-ledger/contract/errors'],
  ['verifier-stands-alone', `${V}/checks/entries.ts`, 'node:fs'],
  ['verifier-stands-alone', `${V}/page/main.ts`, 'node:process'],
  ['verifier-on-the-command-line', `${V}/cli/main.ts`, '@decision-ledger/proof/entry'],
  ['verifier-hashes-in-the-page', `${V}/page/hash.ts`, 'node:crypto'],
  ['verifier-archive-stands-alone', `${V}/archive/open.ts`, '../checks/entries.js'],
  ['verifier-from-above', `${V}/verify.ts`, './cli/main.js'],
  ['platform-stands-alone', `${S}/platform/clock.ts`, '../http/envelope.js'],
  ['platform-stands-alone', `${S}/platform/clock.ts`, '../domains/access/keys/index.js'],
  ['tables-stand-alone', `${S}/tables/column.ts`, '../platform/clock.js'],
  ['http-knows-no-domain', `${S}/http/envelope.ts`, '../domains/access/keys/index.js'],
  ['config-stands-alone', `${S}/config.ts`, './http/envelope.js'],
  ['composition-roots-on-top', `${KEYS}/issue.ts`, '../../../app.js'],
  ['composition-roots-in-order', `${S}/app.ts`, './cli/serve.js'],
  ['service-is-shared', `${S}/service.ts`, './app.js'],
  ['domains-from-above', `${S}/app.ts`, './domains/access/keys/issue.js'],
  [
    'domains-have-entry-points',
    `${S}/domains/access/settings/patch.ts`,
    '../../log/activity/records.js',
  ],
  ['own-index-is-for-others', `${KEYS}/issue.ts`, './index.js'],
  ['index-exports-only-its-domain', `${KEYS}/index.ts`, '../../../platform/clock.js'],
  ['rules-are-pure', `${KEYS}/rules/text.ts`, '../../../../platform/clock.js'],
  ['rules-are-pure', `${KEYS}/rules/text.ts`, '../store/insert.js'],
  ['rules-do-no-io', `${KEYS}/rules/text.ts`, 'node:crypto'],
  ['store-is-sql-only', `${KEYS}/store/insert.ts`, '../issue.js'],
  ['connectors-know-no-ledger', `${KEYS}/connectors/a.ts`, '../store/insert.js'],
  ['connectors-know-no-ledger', `${KEYS}/connectors/a.ts`, '../issue.js'],
  ['use-cases-know-no-http', `${KEYS}/issue.ts`, '../../../http/envelope.js'],
  ['routes-are-on-top-of-their-domain', `${KEYS}/issue.ts`, './routes.js'],
  ['routes-call-use-cases', `${KEYS}/routes.ts`, './store/insert.js'],
  ['routes-call-use-cases', `${KEYS}/routes.ts`, '../../../platform/clock.js'],
  ['jobs-call-use-cases', `${KEYS}/jobs.ts`, '../../../http/envelope.js'],
  ['imports-of-access-keys', `${KEYS}/issue.ts`, '../../log/announcements/index.js'],
  ['imports-of-access-keys', `${KEYS}/routes.ts`, 'type ../../log/announcements/index.js'],
  [
    'imports-of-record-decisions',
    `${S}/domains/record/decisions/append.ts`,
    '../../access/keys/index.js',
  ],
  ['imports-of-log', `${S}/domains/log/activity/records.ts`, '../../access/keys/index.js'],
  ['imports-of-record', `${S}/domains/record/decisions/append.ts`, '../../sources/stripe/index.js'],
  [
    'imports-of-record',
    `${S}/domains/record/decisions/append.ts`,
    '../../judgement/liability/index.js',
  ],
  ['imports-of-other-domains', `${S}/domains/log/announcements/index.ts`, '../activity/index.js'],
];

/** A small repository in which every import is allowed. */
const ALLOWED: Record<string, string[]> = {
  'packages/proof/src/hash.ts': ['node:crypto'],
  'packages/proof/src/entry.ts': ['./hash.js'],
  'packages/proof/src/bundle/format.ts': ['../entry.js'],
  'packages/contract/src/errors.ts': ['typebox', '@decision-ledger/proof/bundle/format'],
  'packages/contract/src/steps.ts': [],
  [`${E}/tally.ts`]: [
    './sample.js',
    '@decision-ledger/contract/steps',
    'type @decision-ledger/contract/errors',
    'type @decision-ledger/proof/entry',
  ],
  [`${E}/sample.ts`]: [],
  'packages/embedded/src/engine.ts': ['node:fs', '@electric-sql/pglite'],
  'packages/embedded/src/atomic-file.ts': ['node:fs'],
  'packages/watch/src/watch.ts': [
    'node:fs',
    '@decision-ledger/proof/entry',
    '@decision-ledger/embedded/atomic-file',
  ],
  'packages/mcp/src/lines.ts': ['typebox', '@decision-ledger/contract/errors'],
  'packages/demo/src/year.ts': ['@decision-ledger/contract/errors'],
  [`${C}/http.ts`]: ['./retry.js'],
  [`${C}/retry.ts`]: ['./errors.js'],
  [`${C}/errors.ts`]: ['./limits.js'],
  [`${C}/limits.ts`]: [],
  [`${C}/node.ts`]: ['./node/runtime.js'],
  [`${C}/node/runtime.ts`]: ['../http.js', 'node:fs'],
  [`${V}/verify.ts`]: ['./checks/entries.js'],
  [`${V}/checks/entries.ts`]: ['../archive/open.js', '@decision-ledger/proof/entry'],
  [`${V}/archive/open.ts`]: ['@zip.js/zip.js/lib/zip-core-native.js'],
  [`${V}/cli/main.ts`]: ['../verify.js', 'node:process'],
  [`${V}/page/main.ts`]: ['../verify.js'],
  [`${V}/page/hash.ts`]: ['type @decision-ledger/proof/hash', '@noble/hashes/sha2.js'],
  'packages/server/test/support/helper.ts': ['#server/platform/clock'],
  'packages/server/test/a.unit.test.ts': ['./support/helper.js'],
  [`${S}/main.ts`]: ['./cli/serve.js'],
  [`${S}/cli/serve.ts`]: ['../app.js', '../config.js'],
  [`${S}/app.ts`]: [
    './service.js',
    './domains/access/keys/routes.js',
    './http/envelope.js',
    'fastify',
  ],
  [`${S}/worker.ts`]: ['./service.js', './domains/access/keys/jobs.js'],
  [`${S}/service.ts`]: ['./domains/access/keys/index.js', './platform/clock.js', 'pg'],
  [`${S}/config.ts`]: ['node:fs'],
  [`${S}/http/envelope.ts`]: ['../platform/clock.js', '@decision-ledger/contract/errors'],
  [`${S}/platform/clock.ts`]: ['@decision-ledger/proof/entry'],
  [`${S}/platform/ids.ts`]: ['./clock.js', 'node:crypto'],
  [`${KEYS}/index.ts`]: ['./issue.js'],
  [`${KEYS}/routes.ts`]: [
    './issue.js',
    '../../../http/envelope.js',
    'type ../../../platform/ids.js',
    'type ../../log/activity/index.js',
  ],
  [`${KEYS}/jobs.ts`]: ['./issue.js', 'type ../../../platform/clock.js'],
  [`${KEYS}/issue.ts`]: ['./store/insert.js', './rules/text.js', '../../log/activity/index.js'],
  [`${KEYS}/connectors/a.ts`]: ['../rules/text.js', '../../../../platform/ids.js'],
  [`${KEYS}/store/insert.ts`]: ['../rules/text.js', '../../../../platform/ids.js'],
  [`${KEYS}/rules/text.ts`]: ['@decision-ledger/proof/entry', '@decision-ledger/contract/errors'],
  [`${S}/domains/access/settings/patch.ts`]: ['../../log/activity/index.js'],
  [`${S}/domains/log/activity/index.ts`]: ['./records.js'],
  [`${S}/domains/log/activity/records.ts`]: ['../../../platform/clock.js'],
  [`${S}/domains/log/announcements/index.ts`]: ['./announcements.js'],
  [`${S}/domains/log/announcements/announcements.ts`]: ['../../../platform/clock.js'],
  [`${S}/domains/record/decisions/index.ts`]: ['./append.js'],
  [`${S}/domains/judgement/liability/index.ts`]: ['./models.js'],
  [`${S}/domains/judgement/liability/models.ts`]: ['../../../platform/clock.js'],
  [`${S}/domains/sources/stripe/index.ts`]: ['./receive.js'],
  [`${S}/domains/sources/stripe/receive.ts`]: ['../../../platform/clock.js'],
  [`${S}/domains/record/decisions/append.ts`]: ['../../../platform/clock.js'],
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'decision-ledger-rules-'));
  const shared = ['.dependency-cruiser.mjs', ...RULES, '.dependency-cruiser.tsconfig.json'];
  const manifests = PACKAGES.map((name) => `packages/${name}/package.json`);
  for (const file of [...shared, 'tsconfig.base.json', 'package.json', ...manifests]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('A correct repository passes every import rule', async () => {
  build(ALLOWED);
  expect(await broken()).toEqual([]);
});

describe('Forbidden imports', () => {
  let found: string[];

  beforeAll(async () => {
    const files = { ...ALLOWED };
    for (const [, from, to] of FORBIDDEN) {
      files[from] = [...(files[from] ?? []), ...(to === '' ? [] : [to])];
    }
    build(files);
    found = await broken();
  });

  it.for(FORBIDDEN)('The rule %s reports: %s must not import %s', ([rule, from, to]) => {
    const target = to === '' ? '' : parse(to).name.replace(/^node:/, '');
    const matching = found.filter((line) => line.startsWith(`${rule} ${from} → `));
    expect(matching.some((line) => line.includes(target, line.indexOf('→')))).toBe(true);
  });
});

function build(files: Record<string, string[]>): void {
  for (const area of ['src', 'test']) {
    for (const name of PACKAGES) {
      rmSync(join(folder, 'packages', name, area), { recursive: true, force: true });
    }
  }
  for (const [path, imports] of Object.entries(files)) {
    const lines = imports.map((target) =>
      target.startsWith('type ')
        ? `export type * from '${target.slice('type '.length)}';\n`
        : `export * from '${target}';\n`,
    );
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), lines.join(''));
  }
}

async function broken(): Promise<string[]> {
  const cruiser = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [cruiser, '--config', '.dependency-cruiser.mjs', '-T', 'json', 'packages'];
  const output = await new Promise<string>((done, fail) => {
    const limits = { cwd: folder, maxBuffer: 50_000_000 };
    execFile(process.execPath, args, limits, (error, stdout, stderr) => {
      if (stdout === '') fail(error ?? new Error(stderr));
      else done(stdout);
    });
  });
  const { summary } = JSON.parse(output) as {
    summary: { violations: { from: string; to: string; rule: { name: string } }[] };
  };
  return summary.violations.map(({ rule, from, to }) => `${rule.name} ${from} → ${to}`);
}
