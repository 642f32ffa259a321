import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MODULES = 'node_modules/';

/**
 * The packages of others that a production install of a package of this repository has, with their dependencies:
 * paths in package-lock.json, such as `node_modules/pg`.
 * @param {string} root of the repository
 * @param {readonly string[]} roots paths of packages in package-lock.json; development dependencies do not count
 */
export function productionPackages(root, roots) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const found = new Set();
  const left = [...roots];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const { dependencies = {}, link, resolved } = packages[path];
    if (link === true) left.push(resolved);
    else if (!found.has(path)) {
      found.add(path);
      left.push(...Object.keys(dependencies).map((name) => placeOf(packages, path, name)));
    }
  }
  return [...found].filter((path) => path.includes(MODULES)).sort();
}

/** Where Node.js finds a package: in the folder of the one that needs it, or the nearest one above. */
function placeOf(packages, from, name) {
  for (let folder = `${from}/`; ; folder = folder.slice(0, folder.lastIndexOf(MODULES))) {
    const path = `${folder}${MODULES}${name}`;
    if (packages[path] !== undefined) return path;
    if (!folder.includes(MODULES)) break;
  }
  return `${MODULES}${name}`;
}

/** The bytes of all files in a folder. */
export function sizeOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce(
    (sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size,
    0,
  );
}
