// @ts-check
// JavaScript, because benchmarks run it without a compiler.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range from which systems take the ports of outgoing connections, so none of those comes between. */
const [LOWEST, HIGHEST] = [10_000, 30_000];
const TRIES = 100;

/**
 * A port of the loopback address on which nothing listens. Somebody may still take it before it is used:
 * who starts a server on it tries again with another.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
  throw new Error(`${TRIES} ports between ${LOWEST} and ${HIGHEST} are taken`);
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
