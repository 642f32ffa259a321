import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { Interruption, runScript } from './child.js';

/**
 * Has the compiled service make the database that first starts copy. That takes longer than the rest of the
 * build, so the result is kept for as long as it would come out the same.
 */
export async function prepareDatabase({ work, tree }) {
  const server = join(tree, 'packages', 'server');
  const dist = join(server, 'dist');
  const target = join(dist, 'prepared-database.bin');
  const script = join(dist, 'prepare-database.js');
  // The service would take it for its start.
  rmSync(target, { force: true });
  if (!existsSync(script)) return;
  const kept = join(work, `database-${keyOf(tree, server)}`);
  if (!existsSync(kept)) {
    const dataDir = join(tree, 'database');
    const draft = join(tree, 'database.bin');
    rmSync(dataDir, { recursive: true, force: true });
    if (!(await made(() => runScript(script, [dataDir, draft], tree)))) return;
    rmSync(dataDir, { recursive: true, force: true });
    renameSync(draft, kept);
    forgetOthers(work, kept);
  }
  copyFileSync(kept, target);
}

/** The service works without it, so a failure does not fail the build. */
async function made(making) {
  try {
    await making();
    return true;
  } catch (error) {
    if (error instanceof Interruption) throw error;
    process.stderr.write(
      `The database for first starts could not be made, so they take longer: ${error.message}\n`,
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

/** Of everything that takes part in making it. */
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
