import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { licencesOf } from './licences.js';
import { DASHBOARD, sourceFiles } from './sources.js';

const compressors = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

/**
 * Bundles the dashboard into the server's dist/, each file also compressed. The result is cached until
 * the sources of the dashboard, its client library or a dependency change.
 */
export async function bundleDashboard({ work, tree }) {
  const target = join(tree, 'packages', 'server', 'dist', 'dashboard');
  rmSync(target, { recursive: true, force: true });
  if (!existsSync(join(tree, DASHBOARD, 'src', 'index.html'))) return;
  const kept = join(work, `dashboard-${keyOf(tree)}`);
  if (!existsSync(kept)) {
    const draft = join(tree, 'dashboard-draft');
    rmSync(draft, { recursive: true, force: true });
    await bundle(join(tree, DASHBOARD, 'src'), draft);
    await compress(join(draft, 'assets'));
    forgetOthers(work);
    renameSync(draft, kept);
  }
  cpSync(kept, target, { recursive: true });
}

/** The dashboard offers the page that checks exports offline. */
export function addVerifierPage(tree) {
  const target = join(tree, 'packages', 'server', 'dist', 'dashboard');
  const page = join(tree, 'packages', 'verifier', 'dist', 'verify.html');
  if (existsSync(target) && existsSync(page)) cpSync(page, join(target, 'verify.html'));
}

async function bundle(root, outDir) {
  // A development dependency, needed for builds only.
  const { build } = await import('vite');
  const modules = new Set();
  await build({
    ...{ root, configFile: false, logLevel: 'error', base: './' },
    plugins: [
      {
        name: 'modules',
        generateBundle(_options, output) {
          for (const { moduleIds = [] } of Object.values(output)) {
            for (const id of moduleIds) modules.add(id);
          }
        },
      },
    ],
    build: {
      ...{ outDir, emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
      // The policy of the page allows no data: URL for scripts and styles.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  });
  writeFileSync(join(outDir, 'LICENCES.txt'), licencesOf([...modules]));
}

async function compress(folder) {
  const names = readdirSync(folder);
  await Promise.all(
    names.flatMap((name) => {
      const bytes = readFileSync(join(folder, name));
      return Object.entries(compressors).map(async ([ending, shrink]) => {
        const small = await shrink(bytes);
        if (small.length < bytes.length) writeFileSync(join(folder, `${name}.${ending}`), small);
      });
    }),
  );
}

function forgetOthers(work) {
  mkdirSync(work, { recursive: true });
  for (const name of readdirSync(work)) {
    if (name.startsWith('dashboard-')) rmSync(join(work, name), { recursive: true, force: true });
  }
}

/** A hash of everything that affects the bundle. */
function keyOf(tree) {
  const hash = createHash('sha256');
  const client = join('packages', 'client', 'dist');
  const compiled = readdirSync(join(tree, client), { recursive: true })
    .filter((name) => name.endsWith('.js'))
    .sort()
    .map((name) => join(client, name));
  for (const file of [...sourceFiles(tree, []), ...compiled, 'packages/client/package.json']) {
    hash.update(`${file}\0`).update(readFileSync(join(tree, file)));
  }
  hash.update(readFileSync(import.meta.filename));
  return hash.digest('hex').slice(0, 16);
}
