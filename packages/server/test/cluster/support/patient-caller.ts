import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, createCaller, type Reply } from '../../support/caller.js';

/** A caller like an application: it rests between its requests, and repeats those that the service could not do yet. */
export interface PatientCaller extends Caller {
  /** Answers of the server that no failure of the database explains, and connections that it cut. */
  readonly unexpected: readonly string[];
  /** Lets the request that is under way end, and rejects each later one. */
  stop(): void;
}

const RETRY_MS = 100;

/** @param urls of the processes of the service, which take the requests in turn; restMs: after each answer */
export function createPatientCaller(
  urls: readonly string[],
  key: string,
  restMs: number,
): PatientCaller {
  const callers = urls.map((url) => createCaller(url, key));
  const unexpected: string[] = [];
  let [sent, isStopped] = [0, false];
  /** @returns after how many ms to repeat the request if it was not answered */
  const tryOnce = async (...request: Parameters<Caller['call']>): Promise<Reply | number> => {
    const caller = callers[sent % callers.length];
    sent += 1;
    if (caller === undefined) throw new Error('no process of the service is known');
    const [method, path] = request;
    const reply = await caller.call(...request).catch((error: unknown) => {
      unexpected.push(`${method} ${path}: ${error}`);
      return null;
    });
    if (reply === null) return RETRY_MS;
    const pauseMs = refusedForMs(reply);
    if (pauseMs !== null) return pauseMs;
    if (reply.status < 500) return reply;
    unexpected.push(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return RETRY_MS;
  };
  return {
    unexpected,
    async call(...request) {
      for (;;) {
        if (isStopped) throw new Error('the caller was stopped');
        const reply = await tryOnce(...request);
        await sleep(typeof reply === 'number' ? reply : restMs);
        if (typeof reply !== 'number') return reply;
      }
    },
    stop() {
      isStopped = true;
    },
    close() {
      for (const caller of callers) caller.close();
    },
  };
}

/** The time that a 503 names, as the API describes it; null for any other answer. */
function refusedForMs({ status, headers }: Reply): number | null {
  const after = headers['retry-after'] ?? '';
  return status === 503 && /^[1-9]\d*$/.test(after) ? Number(after) * 1000 : null;
}
