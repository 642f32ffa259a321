// Puts together the folder that the container image holds: the published files of the packages, and the packages
// of others in the versions of package-lock.json.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, sep } from 'node:path';
import process from 'node:process';
import { manifestOf, packPackages, publicPackages } from '../../scripts/support/packed.js';
import { productionPackages } from '../../scripts/support/production.js';

const ROOT = join(import.meta.dirname, '../..');
/** An image cannot get more packages later, so it has those for buckets. */
const CONTENT = [
  ...['packages/decision-ledger', 'node_modules/@aws-sdk/client-s3'],
  'node_modules/@aws-sdk/lib-storage',
];

const target = process.argv[2];
if (target === undefined) throw new Error('usage: node deploy/image/assemble.js FOLDER');

const own = new Map(
  publicPackages().map((folder) => [relative(ROOT, folder), manifestOf(folder).name]),
);
for (const path of productionPackages(ROOT, CONTENT)) copyInstalled(path);
const packed = mkdtempSync(join(tmpdir(), 'decision-ledger-packed-'));
try {
  const archives = packPackages(packed);
  for (const name of own.values()) unpack(name, archives);
} finally {
  rmSync(packed, { recursive: true });
}

/** Without the packages inside it: those that are needed are listed themselves. */
function copyInstalled(path) {
  const source = join(ROOT, path);
  cpSync(source, join(target, placeOf(path)), {
    recursive: true,
    filter: (file) => !relative(source, file).split(sep).includes('node_modules'),
  });
}

/** `packages/server/node_modules/x` belongs into the installed package of that folder. */
function placeOf(path) {
  const home = [...own.keys()].find((folder) => path.startsWith(`${folder}/`));
  return home === undefined ? path : path.replace(home, `node_modules/${own.get(home)}`);
}

function unpack(name, archives) {
  const file = `${name.replace('@', '').replace('/', '-')}-`;
  const archive = archives.find((one) => basename(one).replace(/\d.*$/, '') === file);
  const folder = join(target, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = spawnSync('tar', [
    '-xzf',
    archive,
    '-C',
    folder,
    '--strip-components=1',
  ]);
  if (status !== 0) throw new Error(`${archive} cannot be unpacked: ${stderr}`);
}
