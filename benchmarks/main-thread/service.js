import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository, NODE_FLAGS, startServer } from '../support/children.js';
import { folderEnvironment, PROGRAM, raiseLimits } from '../support/service.js';

/** @typedef {{ cpu: number, gc: number }} Piece in ms: the worst piece, and the collection of garbage in it */
/** @typedef {Awaited<ReturnType<typeof serveMetered>>} Metered */

/**
 * The service on its embedded engine, with a meter of its main thread.
 * @param {string} folder of the data
 */
export async function serveMetered(folder) {
  const meter = inRepository('benchmarks/main-thread/meter.js');
  const args = [...NODE_FLAGS, '--import', meter, PROGRAM, 'serve'];
  const server = await startServer(args, folderEnvironment(folder));
  const { live, test } = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'));
  await raiseLimits(server.url, live);
  return {
    ...server,
    live: String(live),
    test: String(test),
    /**
     * @param {() => Promise<unknown>} send
     * @returns {Promise<Piece>} the worst piece from the request until a moment after the answer
     */
    async measure(send) {
      await server.ask('begin');
      await send();
      await new Promise((resolve) => setTimeout(resolve, AFTER_MS));
      return server.ask('end');
    },
  };
}

/** What a request leaves to be done after its answer is measured too. */
const AFTER_MS = 30;
