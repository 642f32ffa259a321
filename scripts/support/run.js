import { spawn } from 'node:child_process';
import process from 'node:process';

/** Runs a program with its output in sight and nothing to read; resolves to its exit code. */
export function run(command, args, options = {}) {
  const program = command === 'node' ? process.execPath : command;
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
    child.on('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      resolve(127);
    });
    child.on('close', (code, signal) => resolve(code ?? `${signal}`));
  });
}
