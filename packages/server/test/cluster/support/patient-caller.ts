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
  const tryOnce = async (...request: Parameters<Caller['call']>): Promise<Reply | null> => {
    const caller = callers[sent % callers.length];
    sent += 1;
    if (caller === undefined) throw new Error('no process of the service is known');
    const [method, path] = request;
    const reply = await caller.call(...request).catch((error: unknown) => {
      unexpected.push(`${method} ${path}: ${error}`);
      return null;
    });
    if (reply === null || isRefusedForNow(reply)) return null;
    if (reply.status < 500) return reply;
    unexpected.push(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return null;
  };
  return {
    unexpected,
    async call(...request) {
      for (;;) {
        if (isStopped) throw new Error('the caller was stopped');
        const reply = await tryOnce(...request);
        await sleep(reply === null ? RETRY_MS : restMs);
        if (reply !== null) return reply;
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

/** 503 as the API describes it: with the time after which to try again. */
function isRefusedForNow({ status, headers }: Reply): boolean {
  return status === 503 && /^[1-9]\d*$/.test(headers['retry-after'] ?? '');
}
