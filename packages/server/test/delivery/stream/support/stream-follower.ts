import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamEvent } from '@decision-ledger/contract/stream';
import { connect } from '../../../support/stream.js';

/** A client that wants every event and reconnects after the last one, at any service. */
export interface Follower {
  readonly events: readonly StreamEvent[];
  /** The number of connections that have ended. */
  readonly cuts: number;
  /** Resolves when the received events match. */
  until(fits: (events: readonly StreamEvent[]) => boolean): Promise<void>;
  stop(): Promise<void>;
}

/** @param address of the next connection */
export async function follow(address: () => string, key: string): Promise<Follower> {
  const events: StreamEvent[] = [];
  const first = await connect(address(), { key });
  let after = first.lastId() ?? '';
  let current = first;
  let cuts = 0;
  let isStopped = false;

  async function run(): Promise<void> {
    let seen = 0;
    const take = () => {
      for (const event of current.events.slice(seen)) {
        events.push(event);
        after = event.id;
      }
      seen = current.events.length;
    };
    while (!isStopped) {
      current.socket.on('message', take);
      take();
      await current.ended;
      take();
      cuts += 1;
      seen = 0;
      while (!isStopped) {
        const next = await connect(address(), { key, query: { after } }).catch(() => null);
        if (next !== null) {
          current = next;
          break;
        }
        await sleep(50);
      }
    }
  }

  const running = run();
  return {
    events,
    get cuts() {
      return cuts;
    },
    async until(fits) {
      while (!fits(events)) await sleep(20);
    },
    async stop() {
      isStopped = true;
      await current.close();
      await running;
    },
  };
}
