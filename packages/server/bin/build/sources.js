import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ignoring } from './lock.js';

const STAMP = '.build-stamp';

/** The packages of the build, in the order of the root tsconfig.json: ["packages/proof", …]. */
export function packagesOf(root) {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  return references.map((reference) => reference.path);
}

/** Every file that the result of the build depends on, as sorted paths relative to the root. */
export function sourceFiles(root, packages) {
  const files = ['tsconfig.json', 'tsconfig.base.json', 'package-lock.json'];
  for (const name of packages) {
    files.push(`${name}/package.json`, `${name}/tsconfig.json`);
    files.push(...filesUnder(root, `${name}/src`), ...filesUnder(root, `${name}/migrations`));
  }
  return files.filter((file) => existsSync(join(root, file))).sort();
}

/** Each folder is listed by itself, since one may vanish while its parent is gone through. */
function filesUnder(root, folder) {
  const entries = ignoring('ENOENT', () =>
    readdirSync(join(root, folder), { withFileTypes: true }),
  );
  return (entries ?? []).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesUnder(root, path);
    return entry.isFile() ? [path] : [];
  });
}

export function fingerprint(root, packages) {
  const hash = createHash('sha256');
  for (const file of sourceFiles(root, packages)) {
    // An editor or a checkout may remove one at any time: then there is nothing of it to build from.
    const content = ignoring('ENOENT', () => readFileSync(join(root, file)));
    if (content === undefined) continue;
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Each dist/ carries the stamp of the sources that it was made from, and comes into place by one rename.
 * A .tsbuildinfo beside it means that somebody ran the compiler there by hand, so the stamp says nothing.
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
