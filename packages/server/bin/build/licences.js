import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licence texts of the packages in a bundle, which their licences require. */
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

/** Falls back to the licence field of package.json if there is no licence file. */
function licenceIn(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(?:[.-]|$)/i.test(name));
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8');
  return `${JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).license}\n`;
}
