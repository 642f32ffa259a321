import { createRequire } from 'node:module';

/** Resolves modules as the server does, so that both sides of a comparison use the same versions. */
export const serverRequire = createRequire(
  new URL('../../packages/server/package.json', import.meta.url),
);

const pg = serverRequire('pg');

/**
 * @template Result
 * @param {string} connectionString
 * @param {(client: any) => Promise<Result>} work
 */
export async function withClient(connectionString, work) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * @param {string} url
 * @param {string} text
 * @param {unknown[]} [values]
 * @returns {Promise<any[]>}
 */
export function query(url, text, values) {
  return withClient(url, async (client) => (await client.query(text, values)).rows);
}

/**
 * Runs a checkpoint, so that each measurement starts without pending writes of the previous one.
 * @param {string} url
 */
export function checkpoint(url) {
  return query(url, 'checkpoint');
}
