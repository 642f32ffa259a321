import type { Timers } from '@decision-ledger/client';

/** Time that only a test advances. */
export interface ManualTime {
  readonly timers: Timers;
  readonly now: () => number;
  /** Runs the timers that become due, in order, and lets the work that they start settle. */
  advance(ms: number): Promise<void>;
  /** Advances until the promise settles. */
  until<Value>(promise: Promise<Value>): Promise<Value>;
}

/** A promise settles after a bounded number of turns of the event loop. */
const TURNS = 20;

export async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise((done) => setImmediate(done));
}

export function manualTime(start = Date.UTC(2026, 3, 16, 9, 30)): ManualTime {
  let now = start;
  let timers: { readonly at: number; readonly work: () => void }[] = [];
  const advance = async (ms: number): Promise<void> => {
    const end = now + ms;
    await settle();
    for (;;) {
      const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      now = Math.max(now, next.at);
      timers = timers.filter((timer) => timer !== next);
      next.work();
      await settle();
    }
    now = end;
  };
  return {
    now: () => now,
    advance,
    timers: {
      after(ms, work) {
        const timer = { at: now + ms, work };
        timers.push(timer);
        return () => {
          timers = timers.filter((one) => one !== timer);
        };
      },
    },
    async until(promise) {
      let isSettled = false;
      const mark = () => {
        isSettled = true;
      };
      promise.then(mark, mark);
      for (let step = 0; step < 10_000 && !isSettled; step += 1) await advance(100);
      if (!isSettled) throw new Error('not settled within 1,000 s');
      return promise;
    },
  };
}
