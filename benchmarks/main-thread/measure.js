import { CASES } from './cases.js';

/** @typedef {import('./cases.js').Case} Case */
/** @typedef {{ operation: string, what: string, status: number, cold: Piece, warm: Piece }} Measured */
/** @typedef {import('./service.js').Piece} Piece */

/**
 * Measures every operation of a description, one request at a time.
 * @param {import('./data.js').World} world
 * @param {{ operations: readonly string[], repeats: number, onMeasured?: (measured: Measured) => void }} options
 * @throws if an operation has no case
 */
export async function measureAll(world, { operations, repeats, onMeasured }) {
  const missing = operations.filter((operation) => !Object.hasOwn(CASES, operation));
  if (missing.length > 0)
    throw new Error(`no maximal request is described for ${missing.join(', ')}`);
  /** @type {Measured[]} */
  const all = [];
  for (const operation of operations) {
    for (const request of CASES[operation]?.(world) ?? []) {
      const measured = { operation, ...(await measureOne(world, request, repeats)) };
      onMeasured?.(measured);
      all.push(measured);
    }
  }
  return all;
}

/** @param {import('./data.js').World} world @param {Case} request @param {number} repeats */
async function measureOne(world, request, repeats) {
  let status = 0;
  const send = async () => {
    status = await statusOf(world, request);
  };
  const cold = await world.measure(send);
  /** @type {Piece[]} */
  const warm = [];
  for (let n = 0; n < repeats; n += 1) warm.push(await world.measure(send));
  const worst = warm.reduce((one, other) => (other.cpu > one.cpu ? other : one), { cpu: 0, gc: 0 });
  return { what: request.what, status, cold, warm: worst };
}

/** @param {import('./data.js').World} world @param {Case} request */
async function statusOf(world, { method, path, body, headers = {}, ledger = 'live' }) {
  const key = ledger === null ? {} : { 'x-ledger-key': world[ledger].key };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(`${world.url}${path}`, {
    ...{ method, headers: { ...type, ...key, ...headers }, ...(body !== undefined && { body }) },
  });
  for await (const _chunk of answer.body ?? []);
  return answer.status;
}

/** The operations of the description of a service. @param {string} url @returns {Promise<string[]>} */
export async function operationsOf(url) {
  const { paths } = await (await fetch(`${url}/openapi.json`)).json();
  return Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId }) =>
      operationId === undefined ? [] : [String(operationId)],
    ),
  );
}
