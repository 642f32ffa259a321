import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { bundleService } from './bundle.js';
import { BuildError, runProgram } from './child.js';
import { addCommonJsTypes } from './common-js.js';
import { addVerifierPage, bundleDashboard } from './dashboard.js';
import { ignoring } from './lock.js';
import { buildPage } from './page.js';
import { isRunning } from './process-identity.js';
import { buildDocumentation, copySite } from './site.js';
import { DASHBOARD, fingerprint, SITE_PACKAGE, sourceFiles, stampPath } from './sources.js';
import { prepareDatabase } from './template.js';

/**
 * Compiles a copy of the sources in a folder of this process, then renames each dist/ into place. After a
 * crash only that folder remains; the next build removes it.
 * Returns the fingerprint of the sources that were built.
 */
export async function build({ root, work, packages, identity }) {
  const compiler = await findCompiler(root);
  sweep(work);
  const tree = join(work, `tree-${identity}`);
  // The last tree is reused for the compiler's incremental state.
  ignoring('ENOENT', () => renameSync(join(work, 'tree'), tree));
  try {
    copySite(root, tree);
    copySources(root, tree, packages);
    const built = fingerprint(tree, packages);
    await runProgram(compiler, ['-b', ...(process.stderr.isTTY ? ['--pretty'] : [])], tree);
    addCommonJsTypes(tree);
    await allOf([
      prepareDatabase({ work, tree }),
      bundleService(tree),
      buildPage(tree),
      bundleDashboard({ work, tree }),
      buildDocumentation(tree),
    ]);
    addVerifierPage(tree);
    publish({ root, work, tree, packages, identity, built });
    rmSync(join(work, 'tree'), { recursive: true, force: true });
    renameSync(tree, join(work, 'tree'));
    return built;
  } finally {
    for (const kind of ['tree', 'out', 'old']) {
      rmSync(join(work, `${kind}-${identity}`), { recursive: true, force: true });
    }
  }
}

/** Waits for every part even if one fails: the folder cannot be removed while another one writes to it. */
async function allOf(parts) {
  const results = await Promise.allSettled(parts);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** The compiler's program itself: the script that starts it would not forward signals. */
async function findCompiler(root) {
  try {
    const { resolve } = createRequire(join(root, 'package.json'));
    const folder = dirname(resolve('@typescript/native/package.json'));
    const { default: pathOfProgram } = await import(
      pathToFileURL(join(folder, 'lib', 'getExePath.js')).href
    );
    return pathOfProgram();
  } catch {
    throw new BuildError(
      'the service is not built and the TypeScript compiler is not installed.\n' +
        'Run "npm ci" (with development dependencies), then "npm run build". ' +
        'After that "npm ci --omit=dev" is enough to run it.',
    );
  }
}

function sweep(work) {
  for (const name of readdirSync(work)) {
    const owner = /^(?:tree|out|old)-(.+)$/.exec(name)?.[1];
    if (owner !== undefined && !isRunning(owner)) {
      // The compiler of a killed build may still be writing there; a later build removes the folder.
      ignoring('ENOTEMPTY', () => rmSync(join(work, name), { recursive: true, force: true }));
    }
  }
}

function copySources(root, tree, packages) {
  const wanted = new Set(sourceFiles(root, packages));
  for (const name of packages) forgetRemovedSources(tree, name, wanted);
  for (const file of wanted) {
    const content = readFileSync(join(root, file));
    const target = join(tree, file);
    if (existsSync(target) && readFileSync(target).equals(content)) continue;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
  linkModules(root, tree, packages);
}

/** The compiler keeps the output of removed sources, so such a package is compiled from scratch. */
function forgetRemovedSources(tree, name, wanted) {
  if (!existsSync(join(tree, name, 'src'))) return;
  const gone = sourceFiles(tree, [name]).filter((file) => !wanted.has(file));
  if (gone.length === 0) return;
  for (const file of gone) rmSync(join(tree, file));
  rmSync(join(tree, name, 'dist'), { recursive: true, force: true });
}

/** In the tree, packages resolve to each other; all other modules resolve to the installation above it. */
function linkModules(root, tree, packages) {
  rmSync(join(tree, 'node_modules'), { recursive: true, force: true });
  for (const name of [...packages, DASHBOARD, SITE_PACKAGE]) {
    if (!existsSync(join(tree, name))) continue;
    const manifest = JSON.parse(readFileSync(join(tree, name, 'package.json'), 'utf8'));
    const link = join(tree, 'node_modules', manifest.name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(tree, name), link);

    const own = join(tree, name, 'node_modules');
    rmSync(own, { force: true });
    if (existsSync(join(root, name, 'node_modules'))) {
      symlinkSync(join(root, name, 'node_modules'), own);
    }
  }
}

function publish({ root, work, tree, packages, identity, built }) {
  const isOutput = (path) => basename(path) !== '.tsbuildinfo';
  for (const name of packages) {
    const fresh = join(work, `out-${identity}`, name);
    mkdirSync(dirname(fresh), { recursive: true });
    cpSync(join(tree, name, 'dist'), fresh, { recursive: true, filter: isOutput });
    writeFileSync(stampPath(fresh), built);
  }
  // All copies are complete before the first rename, to keep the time of mixed versions short.
  for (const name of packages) {
    const old = join(work, `old-${identity}`, name);
    mkdirSync(dirname(old), { recursive: true });
    swapIn(join(work, `out-${identity}`, name), join(root, name, 'dist'), old);
  }
}

function swapIn(fresh, target, old) {
  for (let attempt = 0; ; attempt += 1) {
    ignoring('ENOENT', () => renameSync(target, `${old}-${attempt}`));
    try {
      return renameSync(fresh, target);
    } catch (error) {
      // Another build was installed in between.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    }
  }
}
