import { spawn } from 'node:child_process';
import process from 'node:process';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export class BuildError extends Error {
  name = 'BuildError';
}

export class Interruption extends BuildError {}

/** Runs a script in a child process and forwards termination signals to it. */
export async function runScript(script, args, cwd) {
  const child = spawn(process.execPath, [script, ...args], {
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
