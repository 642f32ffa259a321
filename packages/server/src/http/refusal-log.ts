import type { FastifyBaseLogger } from 'fastify';
import { spaced } from '../platform/coalesce.js';

/** How often a reason is logged while it lasts. */
const INTERVAL_MS = 10_000;

const logs = new WeakMap<FastifyBaseLogger, (reason: string) => void>();

/**
 * Logs that a request was refused because the service could not serve it. Under load or while the
 * database is away that happens to every request, so each reason gets a line now and then, with a count.
 */
export function logRefusal(log: FastifyBaseLogger, reason: string): void {
  const note = logs.get(log) ?? openLog(log);
  logs.set(log, note);
  note(reason);
}

function openLog(log: FastifyBaseLogger): (reason: string) => void {
  const counts = new Map<string, number>();
  const lines = spaced((reason) => {
    const requests = counts.get(reason) ?? 0;
    counts.delete(reason);
    log.warn({ reason, requests }, 'requests were refused');
  }, INTERVAL_MS);
  return (reason) => {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    lines.call(reason);
  };
}
