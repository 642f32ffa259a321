import { AsyncLocalStorage } from 'node:async_hooks';
import { Buffer } from 'node:buffer';
import process from 'node:process';
import type { Runtime } from '../runtime.js';
import { webRuntime } from '../web-runtime.js';
import { openOutbox } from './outbox/open.js';
import { beforeExit, onSignals } from './process-end.js';

/** What Node.js adds. */
export const nodeRuntime: Runtime = {
  ...webRuntime,
  variable: (name) => process.env[name],
  byteLength: (text) => Buffer.byteLength(text),
  openOutbox,
  newContext: () => new AsyncLocalStorage(),
  beforeExit,
  onSignals,
};
