import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS, run, startServer } from '../support/children.js';
import { temporaryFolder } from '../support/service.js';

const EMMETT = ['@event-driven-io/emmett@0.42.0', '@event-driven-io/emmett-postgresql@0.42.0'];
const TESSERA = 'github.com/transparency-dev/tessera@v1.0.4';
const PLAIN_SERVER = fileURLToPath(new URL('./plain-server.js', import.meta.url));
const EMMETT_SERVER = fileURLToPath(new URL('./emmett-server.js', import.meta.url));
const TESSERA_SOURCE = fileURLToPath(new URL('./tessera', import.meta.url));
/** Their packages come from registries, and are no dependencies of this repository. */
const NPM_FLAGS = ['--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=1'];

/** @typedef {ReturnType<typeof temporaryFolder>} Folder */

/**
 * @typedef {object} Other a server with `GET /cpu`
 * @property {string} name
 * @property {(folder: Folder) => Promise<unknown>} install
 * @property {(folder: Folder, databaseUrl: string) => ReturnType<typeof startServer>} start
 */

/** @type {Other} */
export const plain = {
  name: 'Fastify and pg, a row with a hash',
  install: async () => undefined,
  start: (_folder, databaseUrl) => startServer([...NODE_FLAGS, PLAIN_SERVER, databaseUrl]),
};

/** @type {Other} */
export const emmett = {
  name: 'emmett on PostgreSQL',
  install({ path }) {
    writeFileSync(join(path, 'package.json'), '{ "private": true }\n');
    return run('npm', ['install', ...NPM_FLAGS, '--prefix', path, ...EMMETT]);
  },
  start: ({ path }, databaseUrl) => startServer([...NODE_FLAGS, EMMETT_SERVER, path, databaseUrl]),
};

/** Its log is in a folder, so it does not use the database. @type {Other} */
export const tessera = {
  name: 'Tessera on a folder',
  async install({ path }) {
    const go = (/** @type {string[]} */ ...args) => run('go', ['-C', path, ...args]);
    await go('version');
    cpSync(TESSERA_SOURCE, path, { recursive: true });
    await go('mod', 'init', 'bench');
    await go('get', TESSERA);
    await go('build', '-mod=mod', '-o', 'server', '.');
  },
  start: ({ path }) => startServer([join(path, 'log')], process.env, join(path, 'server')),
};
