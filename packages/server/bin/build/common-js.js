import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Adds the declarations of the client for CommonJS. Node.js can require a module, but under `module: node16` the
 * compiler takes it only with declarations in a folder of CommonJS (TS1479).
 */
export function addCommonJsTypes(tree) {
  const dist = join(tree, 'packages/client/dist');
  const target = join(dist, 'cjs');
  rmSync(target, { recursive: true, force: true });
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue;
    mkdirSync(dirname(join(target, file)), { recursive: true });
    cpSync(join(dist, file), join(target, file));
  }
  writeFileSync(join(target, 'package.json'), '{ "type": "commonjs" }\n');
}
