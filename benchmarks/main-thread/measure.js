import { CASES } from './cases.js';

/** @typedef {import('./cases.js').Case} Case */
/** @typedef {import('./data.js').World} World */
/** @typedef {import('./service.js').Piece} Piece */
/** @typedef {{ operation: string, what: string, status: number, cold: Piece, warm: Piece }} Measured */

/** @param {readonly string[]} operations @throws if one has no case */
export function requireCases(operations) {
  const missing = operations.filter((operation) => !Object.hasOwn(CASES, operation));
  if (missing.length === 0) return;
  throw new Error(`benchmarks/main-thread/cases.js has no request for ${missing.join(', ')}`);
}

/**
 * Measures each request of each operation by itself, the first time and again.
 * @param {World} world
 * @param {{ operations: readonly string[], repeats: number, onMeasured?: (measured: Measured) => void }} options
 */
export async function measureEach(world, { operations, repeats, onMeasured }) {
  /** @type {Measured[]} */
  const all = [];
  for (const operation of operations) {
    for (const request of CASES[operation]?.(world) ?? []) {
      const { status, piece: cold } = await measureOne(world, request);
      let warm = { cpu: 0, gc: 0 };
      for (let n = 0; n < repeats; n += 1) {
        warm = worse(warm, (await measureOne(world, request)).piece);
      }
      const measured = { operation, what: request.what, status, cold, warm };
      onMeasured?.(measured);
      all.push(measured);
    }
  }
  return all;
}

/** @param {World} world @param {Case} request */
async function measureOne(world, request) {
  let status = 0;
  const piece = await world.measure(async () => {
    status = await statusOf(world, request);
  });
  if (status >= 500) throw new Error(`${request.method} ${request.path} answered ${status}`);
  return { status, piece };
}

/**
 * The worst piece of all requests of an operation, one after the other.
 * @param {World} world
 * @param {string} operation
 * @returns {Promise<number>} ms of CPU
 */
export async function worstOf(world, operation) {
  requireCases([operation]);
  const requests = CASES[operation]?.(world) ?? [];
  const { cpu } = await world.measure(async () => {
    for (const request of requests) {
      const status = await statusOf(world, request);
      if (status >= 500) throw new Error(`${request.method} ${request.path} answered ${status}`);
    }
  });
  return cpu;
}

/** @param {Piece} one @param {Piece} other */
const worse = (one, other) => (other.cpu > one.cpu ? other : one);

/** @param {World} world @param {Case} request */
async function statusOf(world, { method, path, body, headers = {}, ledger = 'live' }) {
  const key = ledger === null ? {} : { 'x-ledger-key': world[ledger].key };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(`${world.url}${path}`, {
    method,
    headers: { ...type, ...key, ...headers },
    ...(body !== undefined && { body }),
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
