import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { licencesOf } from './licences.js';

/** Loaded from node_modules when first needed: most processes never need them. */
const LOADED_WHEN_NEEDED = [/^@aws-sdk\//, 'intuit-oauth', 'stripe', 'pg-native'];
const LIBRARIES = 'libraries';
const MAP_COMMENT = /\n\/\/# sourceMappingURL=.*\s*$/;
/** Chunks of libraries that are smaller are joined, in bytes. */
const SMALL = 50_000;

/**
 * Joins the modules that the command line loads, libraries included, into a few files under dist/run: opening
 * a thousand files takes most of the time of a start. Every module stays in dist/ as well: threads and tests
 * load it there, and source maps lead stack traces back to it.
 */
export async function bundleService(tree) {
  const dist = join(realpathSync(tree), 'packages', 'server', 'dist');
  const target = join(dist, 'run');
  rmSync(target, { recursive: true, force: true });
  if (!existsSync(join(dist, 'main.js'))) return;
  // Only a build needs it, which is a development dependency.
  const { rolldown } = await import('rolldown');
  const built = await rolldown({
    input: { main: join(dist, 'main.js') },
    platform: 'node',
    external: LOADED_WHEN_NEEDED,
    plugins: [ownUrls(target)],
    logLevel: 'silent',
    onLog: (_level, log) => {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
    },
  });
  const { output } = await built.generate({
    dir: target,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    chunkFileNames: ({ name }) => `${name.split('~', 1)[0]}-[hash].js`,
    codeSplitting: {
      groups: [
        {
          name: LIBRARIES,
          test: isLibrary,
          entriesAware: true,
          entriesAwareMergeThreshold: SMALL,
        },
      ],
    },
  });
  await built.close();
  write(target, output);
  const modules = output.flatMap(({ moduleIds }) => moduleIds ?? []);
  writeFileSync(join(target, 'LICENCES.txt'), licencesOf(modules));
}

function isLibrary(id) {
  return id.includes(`${sep}node_modules${sep}`);
}

/** A module that looks for a file beside itself finds it where the module was compiled to. */
function ownUrls(target) {
  return {
    name: 'own-urls',
    transform(code, id) {
      if (isLibrary(id) || !code.includes('import.meta.url')) return null;
      const path = relative(target, id).split(sep).join('/');
      const url = `new URL(${JSON.stringify(path)}, import.meta.url).href`;
      // No line is added or removed, so the map of lines stays true without one for this step.
      return { code: code.replaceAll('import.meta.url', url), map: null };
    },
  };
}

/** Without the maps of libraries: reading those would take longer than all else that is loaded. */
function write(target, output) {
  mkdirSync(target);
  for (const { type, fileName, name, code, source } of output) {
    if (type === 'chunk') {
      const mapped = name?.startsWith(LIBRARIES) !== true;
      writeFileSync(join(target, fileName), mapped ? code : code.replace(MAP_COMMENT, ''));
    } else if (!fileName.startsWith(LIBRARIES)) {
      writeFileSync(join(target, fileName), source);
    }
  }
}
