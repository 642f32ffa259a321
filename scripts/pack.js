// Packs every published package into a folder, from which npm installs them elsewhere.
import { readdirSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import process from 'node:process';
import { packPackages } from './support/packed.js';

const [folder = 'archives', ...rest] = process.argv.slice(2);
if (rest.length > 0 || folder.startsWith('-')) {
  process.stderr.write('pack: give one folder, or none for archives\n');
  process.exit(2);
}
const target = resolve(folder);
packPackages(target);
const archives = readdirSync(target).filter((name) => name.endsWith('.tgz'));
process.stdout.write(`${archives.join('\n')}\n`);
process.stdout.write(
  `\n${archives.length} archives in ${relative('', target) || '.'}. Where you want to use them:\n  npm install ${target}/*.tgz\n`,
);
