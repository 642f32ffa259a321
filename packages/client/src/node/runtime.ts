import { AsyncLocalStorage } from 'node:async_hooks';
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import process from 'node:process';
import type { Runtime } from '../runtime.js';
import { webRuntime } from '../web-runtime.js';
import { openOutbox } from './outbox/open.js';

/** What Node.js adds. */
export const nodeRuntime: Runtime = {
  ...webRuntime,
  variable: (name) => process.env[name],
  byteLength: (text) => Buffer.byteLength(text),
  sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
  openOutbox,
  newContext: () => new AsyncLocalStorage(),
  beforeExit,
  onSignals,
};

const atExit = new Set<() => void>();

/** One listener for all clients: Node.js warns about more than ten. */
function runAll(): void {
  for (const work of atExit) work();
}

/** Calls `work` when the event loop of the process is empty. @returns a function that removes it */
function beforeExit(work: () => void): () => void {
  if (atExit.size === 0) process.on('beforeExit', runAll);
  atExit.add(work);
  return () => {
    atExit.delete(work);
    if (atExit.size === 0) process.off('beforeExit', runAll);
  };
}

/**
 * Calls `work` at the first of the signals, and then raises that signal again, unless the application
 * handles it: then the end of the process is its own affair.
 * @returns a function that removes the listeners
 */
function onSignals(signals: readonly string[], work: () => Promise<void>): () => void {
  const remove = () => {
    for (const signal of signals) process.off(signal, handle);
  };
  const handle = (signal: NodeJS.Signals): void => {
    remove();
    const isHandled = process.listenerCount(signal) > 0;
    void work().finally(() => {
      if (!isHandled) process.kill(process.pid, signal);
    });
  };
  for (const signal of signals) process.on(signal, handle);
  return remove;
}
