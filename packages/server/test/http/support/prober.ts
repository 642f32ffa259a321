import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import process from 'node:process';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';

/** One answer to GET /healthz. */
const Probe = Type.Object({
  /** Time of the request, ms since 1970. */
  at: Type.Number(),
  ms: Type.Number(),
  /** 0 without an answer. */
  status: Type.Number(),
  /** Slowdown of the machine compared with running alone, 1 or more. */
  cost: Type.Number(),
});
export interface Probed {
  readonly at: number;
  readonly ms: number;
  readonly status: number;
  readonly cost: number;
}

/** Requests a service every 50 ms from its own process until it is stopped. */
export function startProber(url: string): { stop(): Promise<readonly Probed[]> } {
  const program = resolve(import.meta.dirname, 'probe-process.js');
  const child = spawn(process.execPath, [program, url], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const ended = new Promise((done) => child.once('close', done));
  return {
    async stop() {
      child.kill();
      await ended;
      const lines = text.slice(0, text.lastIndexOf('\n')).split('\n');
      return lines.map((line) => Parse(Probe, JSON.parse(line)));
    },
  };
}
