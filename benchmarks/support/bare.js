import { fileURLToPath } from 'node:url';
import { NODE_FLAGS, startServer } from './children.js';
import { runLoad } from './load.js';

/** Starts the framework without the service in its own process. */
export function startBare() {
  return startServer([...NODE_FLAGS, fileURLToPath(new URL('../bare-server.js', import.meta.url))]);
}

/**
 * Runs load on the framework without the service.
 * @param {import('./load.js').LoadTask} task
 * @returns {Promise<import('./load.js').Load & { cpuPerThousand: number }>}
 */
export async function measureBare(task) {
  const before = await bareCpuSeconds(task.url);
  const load = await runLoad(task);
  const after = await bareCpuSeconds(task.url);
  return { ...load, cpuPerThousand: (after - before) / (load.answered / 1000) };
}

/** @param {string} url */
export async function bareCpuSeconds(url) {
  const answer = await fetch(`${url}/cpu`);
  const { user, system } = await answer.json();
  return (user + system) / 1e6;
}
