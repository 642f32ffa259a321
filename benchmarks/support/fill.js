import { BATCH, runLoad } from './load.js';

/**
 * Records decisions through the API, dated by the service.
 * @param {{ url: string }} service
 * @param {string} key
 * @param {number} count
 * @returns {Promise<number>} decisions per second
 */
export async function fill({ url }, key, count) {
  const amount = Math.ceil(count / BATCH);
  const connections = Math.min(8, amount);
  const what = /** @type {const} */ ('batch');
  const load = await runLoad({ what, url, key, connections, amount, timestamps: false });
  return load.perSecond * BATCH;
}
