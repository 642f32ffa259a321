import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './caller.js';
import { type Journal, type Outcome, orderOf, runWriters, send } from './load.js';

/** Sixteen writers that retry a refused order if it has a key, and otherwise drop it. */
export function keepWriting(caller: Caller, journal: Journal, name: string) {
  const refused: Outcome[] = [];
  let acknowledged = 0;
  let stopped = false;
  const done = runWriters(16, async (writer, n) => {
    const order = orderOf(`${name}-${writer}`, n);
    for (;;) {
      const outcome = await send(caller, journal, order);
      if (outcome.kind === 'acknowledged') break;
      refused.push(outcome);
      await sleep(20);
      if (order.key === null) return !stopped;
    }
    acknowledged += 1;
    return !stopped;
  });
  const until = async (condition: () => boolean) => {
    while (!condition()) await sleep(5);
  };
  return {
    acknowledged: (more: number) => {
      const enough = acknowledged + more;
      return until(() => acknowledged >= enough);
    },
    refused: (more: number) => {
      const enough = refused.length + more;
      return until(() => refused.length >= enough);
    },
    /** @returns every answer that was not an acknowledgement */
    async stop() {
      stopped = true;
      await done;
      return refused;
    },
  };
}
