import { spawn } from 'node:child_process';
import process from 'node:process';

/** Runs a program with visible output and no input. Resolves to its exit code. */
export function run(command, args, options = {}) {
  return follow(start(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options }));
}

/** Runs a program and returns its exit code and output, for programs that run concurrently. */
export async function runQuietly(command, args, options = {}) {
  const child = start(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (one) => chunks.push(one));
  const code = await follow(child);
  return { code, output: Buffer.concat(chunks).toString() };
}

function start(command, args, options) {
  return spawn(command === 'node' ? process.execPath : command, args, options);
}

function follow(child) {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`${child.spawnfile}: ${error.message}\n`);
      resolve(127);
    });
    child.on('close', (code, signal) => resolve(code ?? `${signal}`));
  });
}
