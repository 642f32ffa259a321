import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PATIENCE_MS = 60_000;

/** @typedef {import('node:child_process').ChildProcess} Child */

/** @type {Set<Child>} */
const running = new Set();

// Also after a failure or Ctrl-C: nothing may go on using the processor behind the next run's back.
process.on('exit', killAll);

export function killAll() {
  for (const child of running) child.kill('SIGKILL');
}

/**
 * @template {Child} C
 * @param {C} child
 */
function keep(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** @param {string} path relative to the repository */
export function inRepository(path) {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** How `npm start` runs Node.js: what is measured is what users run. */
export const NODE_FLAGS = readStartFlags();

/** @returns {string[]} */
function readStartFlags() {
  const { scripts } = JSON.parse(readFileSync(inRepository('package.json'), 'utf8'));
  return String(scripts.start)
    .split(' ')
    .filter((word) => word.startsWith('--'));
}

/**
 * Starts a server and waits until it tells its address.
 * @param {readonly string[]} args of node
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function startServer(args, env = process.env) {
  const child = keep(spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  let output = '';
  const url = await new Promise((resolve, reject) => {
    const read = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk).slice(-10_000);
      const address = /(?:listens on|works in the background;) (http:\S+)/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${args.at(-1)} ended (${code}):\n${output}`)));
    setTimeout(
      () => reject(new Error(`${args.at(-1)} does not start:\n${output}`)),
      PATIENCE_MS,
    ).unref();
  });
  const tell = (/** @type {number | null} */ code, /** @type {string | null} */ signal) =>
    process.stderr.write(`${args.at(-1)} ended by itself (${code ?? signal}):\n${output}\n`);
  child.once('exit', tell);
  return {
    url: String(url),
    async stop() {
      child.off('exit', tell);
      await stop(child);
    },
    /** SIGKILL: nothing gets the chance to end well. */
    async kill() {
      child.off('exit', tell);
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** @param {Child} child */
async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const forced = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await ended;
  clearTimeout(forced);
}

/**
 * Gives a task to a process of its own and takes what it answers.
 * @param {URL} script
 * @param {object} task
 * @returns {Promise<any>}
 */
export function runTask(script, task) {
  const child = keep(fork(fileURLToPath(script), { serialization: 'advanced' }));
  return new Promise((resolve, reject) => {
    child.once('message', (message) => {
      const { error, result } = /** @type {{ error?: string, result?: unknown }} */ (message);
      if (error === undefined) resolve(result);
      else reject(new Error(error));
    });
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`${script.pathname} ended (${code}) with no answer`)),
    );
    child.send(task);
  });
}

const execute = promisify(execFile);

/**
 * Runs a program to its end.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<string>} what it printed
 */
export async function run(program, args, env = process.env) {
  const promise = execute(program, args, { env, maxBuffer: 64 * 1024 * 1024 });
  keep(promise.child);
  const { stdout } = await promise;
  return stdout;
}
