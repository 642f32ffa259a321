import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licences of the packages that a bundle holds modules of, as each of them asks for. */
export function licencesOf(modules) {
  const folders = modules.map(
    (id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0],
  );
  return [...new Set(folders.filter((folder) => folder !== undefined))]
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return `${name} ${version}\n\n${licenceIn(folder)}`;
    })
    .join('\n\n');
}

/** A package without the file names its licence in its package.json. */
function licenceIn(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(?:[.-]|$)/i.test(name));
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8');
  return `${JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).license}\n`;
}
