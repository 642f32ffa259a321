import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PACKAGES = join(import.meta.dirname, '../../packages');
const SOURCE = /^(.*\/packages\/[a-z]+\/)src\/(.*)\.ts$/;

/**
 * Makes tests import the sources of the packages instead of the build, so that Vitest knows which tests a
 * change affects. Node.js 20 cannot start a thread from TypeScript, so `import.meta.url` refers to the
 * built file and threads run the build.
 */
export function fromSources() {
  return {
    resolve: {
      alias: [
        { find: /^@decision-ledger\/client$/, replacement: `${PACKAGES}/client/src/node.ts` },
        {
          find: /^(?:@decision-ledger\/|#)([a-z]+)\/(.+)$/,
          replacement: `${PACKAGES}/$1/src/$2.ts`,
        },
      ],
    },
    plugins: [
      { name: 'decision-ledger-sources', enforce: /** @type {const} */ ('pre'), transform },
    ],
  };
}

/**
 * @param {string} code
 * @param {string} id
 */
function transform(code, id) {
  const [, folder, path] = SOURCE.exec(id) ?? [];
  if (folder === undefined || !code.includes('import.meta.url')) return null;
  const built = pathToFileURL(`${folder}dist/${path}.js`).href;
  return { code: code.replaceAll('import.meta.url', JSON.stringify(built)), map: null };
}
