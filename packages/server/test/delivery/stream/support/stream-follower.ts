import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamEvent } from '@decision-ledger/contract/stream';
import { connect } from '../../../support/stream.js';

/** Someone who wants everything: goes on behind the last event, wherever there is a service. */
export interface Follower {
  readonly events: readonly StreamEvent[];
  /** How often a connection has ended. */
  readonly cuts: number;
  /** Resolves when what was received fits. */
  until(fits: (events: readonly StreamEvent[]) => boolean): Promise<void>;
  stop(): Promise<void>;
}

/** @param address where to go next */
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
