import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { runProgram } from './child.js';
import { SITE } from './sources.js';

/** Copies the sources of the documentation. The compiler needs none of them, so nothing of an older copy is kept. */
export function copySite(root, tree) {
  for (const path of SITE) {
    rmSync(join(tree, path), { recursive: true, force: true });
    if (existsSync(join(root, path)))
      cpSync(join(root, path), join(tree, path), { recursive: true });
  }
}

/**
 * Builds the documentation into the server's dist/. A process of its own loads the compiled service, which
 * knows its operations, commands and settings.
 */
export async function buildDocumentation(tree) {
  const script = join(tree, 'scripts', 'docs-site.js');
  if (!existsSync(script)) return;
  const out = join(tree, 'packages', 'server', 'dist', 'site');
  await runProgram(process.execPath, [script, out], tree);
}
