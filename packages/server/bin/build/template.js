import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { Interruption, runProgram } from './child.js';

/**
 * Runs the compiled service to make the database that first starts copy. This takes longer than the rest
 * of the build, so the result is cached until its inputs change.
 */
export async function prepareDatabase({ work, tree }) {
  const server = join(tree, 'packages', 'server');
  const dist = join(server, 'dist');
  const target = join(dist, 'prepared-database.bin');
  const script = join(dist, 'prepare-database.js');
  // The service would otherwise use the old file.
  rmSync(target, { force: true });
  if (!existsSync(script)) return;
  const kept = join(work, `database-${keyOf(tree, server)}`);
  if (!existsSync(kept)) {
    const dataDir = join(tree, 'database');
    const draft = join(tree, 'database.bin');
    rmSync(dataDir, { recursive: true, force: true });
    if (!(await made(() => runProgram(process.execPath, [script, dataDir, draft], tree)))) return;
    rmSync(dataDir, { recursive: true, force: true });
    renameSync(draft, kept);
    forgetOthers(work, kept);
  }
  copyFileSync(kept, target);
}

/** The service works without the database, so a failure does not fail the build. */
async function made(making) {
  try {
    await making();
    return true;
  } catch (error) {
    if (error instanceof Interruption) throw error;
    process.stderr.write(
      `The database for first starts could not be created, so first starts take longer: ${error.message}\n`,
    );
    return false;
  }
}

function forgetOthers(work, kept) {
  for (const name of readdirSync(work)) {
    const path = join(work, name);
    if (name.startsWith('database-') && path !== kept) rmSync(path);
  }
}

/** A hash of everything that affects the prepared database. */
function keyOf(tree, server) {
  const hash = createHash('sha256').update(readFileSync(join(tree, 'package-lock.json')));
  for (const folder of ['migrations', 'dist/platform']) {
    const entries = readdirSync(join(server, folder), { recursive: true }).sort();
    for (const name of entries.filter((entry) => /\.(?:js|sql)$/.test(entry))) {
      hash.update(`${name}\0`).update(readFileSync(join(server, folder, name)));
    }
  }
  for (const name of ['prepare-database.js', 'prepared-database.js', 'storage.js', 'service.js']) {
    hash.update(readFileSync(join(server, 'dist', name)));
  }
  return hash.digest('hex').slice(0, 16);
}
