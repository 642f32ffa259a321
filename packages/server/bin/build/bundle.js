import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { licencesOf } from './licences.js';
import { lighterLibraries } from './lighter.js';

/** Loaded from node_modules on first use, where they are installed. */
const INSTALLED_WHEN_NEEDED = [/^@aws-sdk\//, 'pg-native'];
const LIBRARIES = 'libraries';
const MAP_COMMENT = /\n\/\/# sourceMappingURL=.*\s*$/;
/** Library chunks smaller than this are merged, in bytes. */
const SMALL = 50_000;

/**
 * Bundles the modules of the command line, libraries included, into a few files under dist/run, because
 * opening a thousand files dominates the start time. Every module also stays in dist/, where threads and
 * tests load it and where source maps point.
 */
export async function bundleService(tree) {
  const dist = join(realpathSync(tree), 'packages', 'server', 'dist');
  const target = join(dist, 'run');
  rmSync(target, { recursive: true, force: true });
  if (!existsSync(join(dist, 'main.js'))) return;
  // A development dependency, needed for builds only.
  const { rolldown } = await import('rolldown');
  const built = await rolldown({
    input: { main: join(dist, 'main.js') },
    platform: 'node',
    external: INSTALLED_WHEN_NEEDED,
    plugins: [ownUrls(target), lighterLibraries()],
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

/** Resolves import.meta.url to the compiled module, so that files next to it are found. */
function ownUrls(target) {
  return {
    name: 'own-urls',
    transform(code, id) {
      if (isLibrary(id) || !code.includes('import.meta.url')) return null;
      const path = relative(target, id).split(sep).join('/');
      const url = `new URL(${JSON.stringify(path)}, import.meta.url).href`;
      // The line count does not change, so this step needs no source map.
      return { code: code.replaceAll('import.meta.url', url), map: null };
    },
  };
}

/** Omits the source maps of libraries: reading them would take longer than loading everything else. */
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
