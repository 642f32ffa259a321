import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ignoring } from './lock.js';

const STAMP = '.build-stamp';

/** Bundled into the server's dist/, not compiled: it has no dist/ of its own. */
export const DASHBOARD = 'packages/dashboard';

export const SITE_PACKAGE = 'packages/site';

/** What the documentation is made of, beside the compiled service. */
export const SITE = [
  ...['docs', `${SITE_PACKAGE}/src`, `${SITE_PACKAGE}/package.json`],
  ...['packages/server/openapi', 'benchmarks/README.md', 'package.json'],
  ...['vectors/README.md', 'vectors/outcomes.json', 'vectors/values.json', 'vectors/amounts.json'],
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...['scripts/docs-commands.js', 'scripts/docs-generate.js'],
  ...['scripts/docs-settings.js', 'scripts/docs-site.js'],
];

/** The packages of the build, in the order of the root tsconfig.json: ["packages/proof", …]. */
export function packagesOf(root) {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  return references.map((reference) => reference.path);
}

/** All files that the build depends on, as sorted paths relative to the root. */
export function sourceFiles(root, packages) {
  const all = [...packages, DASHBOARD];
  const settings = all.flatMap((name) => [`${name}/package.json`, `${name}/tsconfig.json`]);
  const files = ['tsconfig.json', 'tsconfig.base.json', 'package-lock.json', ...settings];
  const folders = all.flatMap((name) => [`${name}/src`, `${name}/migrations`]);
  return [
    ...files.filter((file) => existsSync(join(root, file))),
    ...folders.flatMap((folder) => filesUnder(root, folder)),
  ].sort();
}

function siteFiles(root) {
  return SITE.flatMap((path) => {
    if (!/\.\w+$/.test(path)) return filesUnder(root, path);
    return existsSync(join(root, path)) ? [path] : [];
  });
}

/** Lists each folder separately, because a folder may be removed while its parent is read. */
function filesUnder(root, folder) {
  const entries = ignoring('ENOENT', () =>
    readdirSync(join(root, folder), { withFileTypes: true }),
  );
  return (entries ?? []).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesUnder(root, path);
    return entry.isFile() ? [path] : [];
  });
}

/** The sources, and what the documentation is made of. */
export function buildFiles(root, packages) {
  return [...sourceFiles(root, packages), ...siteFiles(root)];
}

export function fingerprint(root, packages) {
  const hash = createHash('sha256');
  for (const file of buildFiles(root, packages)) {
    // A file may be removed at any time, for example by a checkout.
    const content = ignoring('ENOENT', () => readFileSync(join(root, file)));
    if (content === undefined) continue;
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Each dist/ has a stamp of its sources and is installed by one rename. A .tsbuildinfo next to it means
 * that someone ran the compiler there directly, so the stamp is not reliable.
 */
export function isBuilt(root, packages, wanted) {
  return packages.every((name) => {
    const dist = join(root, name, 'dist');
    return readStamp(dist) === wanted && !existsSync(join(dist, '.tsbuildinfo'));
  });
}

export function wasEverBuilt(root, packages) {
  return packages.every((name) => existsSync(join(root, name, 'dist')));
}

export function stampPath(dist) {
  return join(dist, STAMP);
}

function readStamp(dist) {
  try {
    return readFileSync(stampPath(dist), 'utf8');
  } catch {
    return undefined;
  }
}
