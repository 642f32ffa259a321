import { keepProcess, runTask } from './children.js';

/**
 * @typedef {object} LoadTask
 * @property {'single' | 'batch' | 'keyed-batch' | 'event' | 'page' | 'traces' | 'tool-traces'} what
 * @property {string} url
 * @property {number} connections
 * @property {string} [key]
 * @property {readonly string[]} [urls] of several processes, instead of url: the connections are spread over them
 * @property {readonly string[]} [keys] instead of key: each process gets connections with each of them
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

const LOAD_PROCESS = new URL('./load-process.js', import.meta.url);

let run = (/** @type {LoadTask} */ task) => runTask(LOAD_PROCESS, task);

/** From now on, one process makes all loads, one after the other: a short load takes less time than a start. */
export function keepLoadProcess() {
  run = keepProcess(LOAD_PROCESS);
}

/**
 * @param {LoadTask} task
 * @returns {Promise<Load>}
 */
export function runLoad(task) {
  return run(task);
}

/**
 * @typedef {object} OpenLoad
 * @property {string} url
 * @property {string} key
 * @property {number} perSecond single decisions
 * @property {number} seconds
 */

/**
 * @typedef {Load & { p999: number, most: number, late: number }} OpenLoaded
 *   late: ms from the scheduled time until the request was sent, p99
 */

/**
 * Sends requests at their scheduled times, whether or not the previous ones were answered. The latency counts from the
 * scheduled time, so that it includes the time in which a request waited to be sent.
 * @param {OpenLoad} task
 * @returns {Promise<OpenLoaded>}
 */
export function runOpenLoad(task) {
  return runTask(new URL('./open-load-process.js', import.meta.url), task);
}
