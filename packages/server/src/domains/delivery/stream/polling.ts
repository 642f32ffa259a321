import { startTicker, type Ticker } from '../../../platform/clock.js';
import type { Notifications } from '../../../platform/notifications.js';
import { type GroupOptions, refreshGroup, type SubscriptionGroup } from './subscription-group.js';

export interface PollingOptions extends GroupOptions {
  readonly notifications: () => Notifications;
}

export interface Polling {
  stop(): Promise<void>;
}

const POLL_MS = 1000;
const KEEP_ALIVE_MS = 250;

/**
 * Listens for notifications of new events. Polls every second as well, since a notification may be
 * lost, and checks the timeouts of all connections.
 */
export function startPolling(
  options: PollingOptions,
  groups: ReadonlyMap<string, SubscriptionGroup>,
): Polling {
  const { notifications, onError } = options;
  const stopListening = notifications().listen((ledgerId) => groups.get(ledgerId)?.feed.wake());
  const poll = async () => {
    for (const group of groups.values()) await refreshGroup(options, group).catch(onError);
  };
  const keepAlive = () => {
    for (const { members } of groups.values()) {
      for (const { subscriber } of members) subscriber.keepAlive();
    }
    return Promise.resolve();
  };
  const tickers: Ticker[] = [
    startTicker(POLL_MS, poll, onError),
    startTicker(KEEP_ALIVE_MS, keepAlive, onError),
  ];
  return {
    async stop() {
      stopListening();
      await Promise.all(tickers.map((ticker) => ticker.stop()));
    },
  };
}
