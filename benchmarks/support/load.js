import { runTask } from './children.js';

/**
 * @typedef {object} LoadTask
 * @property {'single' | 'batch' | 'keyed-batch' | 'event' | 'page' | 'traces' | 'tool-traces'} what
 * @property {string} url
 * @property {number} connections
 * @property {string} [key]
 * @property {number} [seconds] 0: one request on each connection
 * @property {number} [amount] number of requests, instead of seconds
 * @property {string} [prefer] header of the request
 * @property {string} [path] of a page
 * @property {boolean} [timestamps] whether decisions are dated by the client
 */

/**
 * @typedef {object} Load
 * @property {number} answered
 * @property {number} perSecond
 * @property {number} seconds
 * @property {number} p50 ms
 * @property {number} p99 ms
 * @property {number} cpuSeconds of the load generator
 */

/** Decisions in a batch. */
export const BATCH = 100;

/**
 * @param {LoadTask} task
 * @returns {Promise<Load>}
 */
export function runLoad(task) {
  return runTask(new URL('./load-process.js', import.meta.url), task);
}
