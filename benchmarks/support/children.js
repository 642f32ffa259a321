import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const TIMEOUT_MS = 60_000;

/** @typedef {import('node:child_process').ChildProcess} Child */

/** @type {Set<Child>} */
const running = new Set();

// Also after a failure or Ctrl-C: a leftover process would disturb the next run.
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

/** The Node.js flags of `npm start`, so that the benchmark measures what users run. */
export const NODE_FLAGS = readStartFlags();

/** @returns {string[]} */
function readStartFlags() {
  const { scripts } = JSON.parse(readFileSync(inRepository('package.json'), 'utf8'));
  return String(scripts.start)
    .split(' ')
    .filter((word) => word.startsWith('--'));
}

/**
 * Starts a server and waits until it prints its address.
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [program] instead of node
 */
export async function startServer(args, env = process.env, program = process.execPath) {
  const stdio = /** @type {const} */ (['ignore', 'pipe', 'pipe', 'ipc']);
  const child = keep(spawn(program, args, { env, stdio: [...stdio] }));
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
      TIMEOUT_MS,
    ).unref();
  });
  const reportExit = (/** @type {number | null} */ code, /** @type {string | null} */ signal) =>
    process.stderr.write(`${args.at(-1)} ended by itself (${code ?? signal}):\n${output}\n`);
  child.once('exit', reportExit);
  return {
    url: String(url),
    /**
     * Asks what was preloaded into the process.
     * @param {string} question
     * @returns {Promise<any>}
     */
    async ask(question) {
      const answer = once(child, 'message');
      child.send(question);
      return (await answer)[0];
    },
    async stop() {
      child.off('exit', reportExit);
      await stop(child);
    },
    /** Sends SIGKILL, so that the process cannot clean up. */
    async kill() {
      child.off('exit', reportExit);
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
  const forced = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  await ended;
  clearTimeout(forced);
}

/**
 * Runs a task in a child process and returns its result.
 * @param {URL} script
 * @param {object} task
 * @param {readonly string[]} [execArgv] flags of Node.js
 * @returns {Promise<any>}
 */
export function runTask(script, task, execArgv = []) {
  const child = forkTask(script, execArgv);
  return answerOf(child, script, { task, isLast: true });
}

/**
 * Like runTask, in one process for all tasks, which it does one after the other.
 * @param {URL} script
 * @returns {(task: object) => Promise<any>}
 */
export function keepProcess(script) {
  /** @type {Child | undefined} */
  let child;
  /** @type {Promise<unknown>} */
  let previous = Promise.resolve();
  return (task) => {
    const answer = previous.then(async () => {
      if (child === undefined || !running.has(child)) child = forkTask(script, []);
      setHolding(child, true);
      try {
        return await answerOf(child, script, { task, isLast: false });
      } finally {
        setHolding(child, false);
      }
    });
    previous = answer.catch(() => undefined);
    return answer;
  };
}

/**
 * @param {URL} script
 * @param {readonly string[]} execArgv
 */
function forkTask(script, execArgv) {
  const options = /** @type {const} */ ({ serialization: 'advanced' });
  return keep(fork(fileURLToPath(script), { ...options, execArgv: [...execArgv] }));
}

/**
 * Whether a process keeps this one running.
 * @param {Child} child
 * @param {boolean} isHolding
 */
function setHolding(child, isHolding) {
  for (const handle of [child, child.channel]) {
    if (isHolding) handle?.ref();
    else handle?.unref();
  }
}

/**
 * @param {Child} child
 * @param {URL} script
 * @param {{ task: object, isLast: boolean }} message
 * @returns {Promise<any>}
 */
async function answerOf(child, script, message) {
  const settled = new AbortController();
  const { signal } = settled;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`${script.pathname} ended (${code}) with no answer`);
  });
  const answered = once(child, 'message', { signal });
  try {
    child.send(message);
    const [answer] = await Promise.race([answered, ended]);
    const { error, result } = /** @type {{ error?: string, result?: unknown }} */ (answer);
    if (error !== undefined) throw new Error(error);
    return result;
  } finally {
    settled.abort();
  }
}

/**
 * The counterpart of runTask: answers the tasks of this process, and ends it after the last one.
 * @param {(task: any) => Promise<unknown>} work
 */
export function answerTask(work) {
  process.on('message', async (/** @type {{ task: object, isLast: boolean }} */ message) => {
    const { task, isLast } = message;
    const answer = await work(task).then(
      (result) => ({ result }),
      (error) => ({ error: error instanceof Error ? (error.stack ?? error.message) : `${error}` }),
    );
    process.send?.(answer, () => isLast && process.exit());
  });
  process.once('disconnect', () => process.exit(1));
}

const execute = promisify(execFile);

/**
 * Runs a program to completion.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<string>} its output
 */
export async function run(program, args, env = process.env) {
  const promise = execute(program, args, { env, maxBuffer: 64 * 1024 * 1024 });
  keep(promise.child);
  const { stdout } = await promise;
  return stdout;
}
