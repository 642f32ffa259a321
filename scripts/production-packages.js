// Checks the packages of others that users get: their licences, and how many and how large they are.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { productionPackages, sizeOf } from './support/production.js';

const ROOT = join(import.meta.dirname, '..');
/** Licences that allow use and redistribution in every product, on conditions that the notices meet. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense',
];
/** Besides the installed packages: those for buckets, and those whose code is bundled when it is built. */
const OTHER_ROOTS = [
  ...['node_modules/@aws-sdk/client-s3', 'node_modules/@aws-sdk/lib-storage'],
  ...['node_modules/stripe', 'node_modules/@noble/hashes', ...dashboardPackages()],
];
/** What an install of `decision-ledger` may hold, without the packages of this repository. */
const MAX_PACKAGES = 120;
const MAX_BYTES = 80_000_000;

const installed = productionPackages(ROOT, ['packages/decision-ledger']);
const bytes = installed.reduce((sum, path) => sum + sizeOf(join(ROOT, path)), 0);
const problems = [
  ...productionPackages(ROOT, ['packages/decision-ledger', ...OTHER_ROOTS]).flatMap(licenceProblem),
  ...(installed.length > MAX_PACKAGES
    ? [`decision-ledger installs ${installed.length} packages, more than ${MAX_PACKAGES}`]
    : []),
  ...(bytes > MAX_BYTES ? [`they have ${bytes} bytes, more than ${MAX_BYTES}`] : []),
];
process.stdout.write(
  `decision-ledger installs ${installed.length} packages of others, ${(bytes / 1e6).toFixed(1)} MB.\n`,
);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

function dashboardPackages() {
  const manifest = readFileSync(join(ROOT, 'packages/dashboard/package.json'), 'utf8');
  const names = Object.keys(JSON.parse(manifest).devDependencies);
  // Types and tools for tests are not in the bundle, nor is what makes it.
  const others = /^(@types\/|@decision-ledger\/|axe-core$|vite$)/;
  return names.filter((name) => !others.test(name)).map((name) => `node_modules/${name}`);
}

function licenceProblem(path) {
  const { name, version, license } = JSON.parse(
    readFileSync(join(ROOT, path, 'package.json'), 'utf8'),
  );
  const isAllowed =
    typeof license === 'string' && choicesOf(license).some((one) => ALLOWED.includes(one));
  return isAllowed
    ? []
    : [
        `${name} ${version} has the licence ${JSON.stringify(license)}, which is not in the list of this check`,
      ];
}

/** The alternatives of an expression such as `(MIT OR Apache-2.0)`. One with AND is never allowed. */
function choicesOf(expression) {
  return expression.replace(/^\((.*)\)$/, '$1').split(' OR ');
}
