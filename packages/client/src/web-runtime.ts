import { platformNow, platformRandom, type Timers } from './platform.js';
import type { Fetch, Runtime } from './runtime.js';
import { sha256Hex } from './sha256.js';

/** The timers of the platform. Those of Node.js keep the process alive only if asked to. */
const platformTimers: Timers = {
  after(ms, work, keepsAlive = false) {
    const timer = setTimeout(work, ms);
    if (!keepsAlive && typeof timer === 'object') {
      if (typeof timer.unref === 'function') timer.unref();
    }
    return () => clearTimeout(timer);
  },
};

/** The global fetch at the time of the call, so that an instrumented one is used. */
const platformFetch: Fetch = (url, request) => fetch(url, request);

const encoder = new TextEncoder();

/** What every platform has. */
export const webRuntime: Runtime = {
  now: platformNow,
  timers: platformTimers,
  random: platformRandom,
  fetch: platformFetch,
  variable: readVariable,
  byteLength: (text) => encoder.encode(text).length,
  sha256: sha256Hex,
  openOutbox: null,
  newContext: null,
  beforeExit: () => () => undefined,
  onSignals: () => () => undefined,
};

/** Some platforms without Node.js have its environment. */
function readVariable(name: string): string | undefined {
  const process: unknown = Reflect.get(globalThis, 'process');
  const env: unknown =
    typeof process === 'object' && process !== null ? Reflect.get(process, 'env') : undefined;
  const value: unknown =
    typeof env === 'object' && env !== null ? Reflect.get(env, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}
