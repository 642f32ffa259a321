import { spawn } from 'node:child_process';
import process from 'node:process';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export class BuildError extends Error {
  name = 'BuildError';
}

export class Interruption extends BuildError {}

/** Runs a program in a child process and forwards termination signals to it. */
export async function runProgram(program, args, cwd) {
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));

  let interruption;
  const interrupt = (signal) => {
    interruption = signal;
    child.kill();
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    const code = await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    if (interruption) throw new Interruption(`the build was interrupted by ${interruption}`);
    if (code !== 0) throw new BuildError(`the build failed:\n${output.trimEnd()}`);
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}
