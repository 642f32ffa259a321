import { setTimeout as sleep } from 'node:timers/promises';
import type { CrowdedCluster } from './crowded-cluster.js';
import type { Traffic } from './traffic.js';

/** Waits until each ledger has been served since a time. @returns when the last one was */
export async function untilServed(
  traffic: ReadonlyMap<string, Traffic>,
  since: number,
): Promise<number> {
  const firsts = () =>
    [...traffic.values()].map(({ waits }) => waits.find(({ at }) => at > since)?.at ?? null);
  for (;;) {
    const found = firsts().filter((at) => at !== null);
    if (found.length === traffic.size) return Math.max(...found);
    await sleep(20);
  }
}

/** The longest wait for a decision that ended in a time, in ms. */
export function longestWait(
  traffic: Iterable<Traffic>,
  { since = 0, until = Number.POSITIVE_INFINITY }: { since?: number; until?: number },
): number {
  const waits = [...traffic].flatMap((one) => one.waits);
  const ended = waits.filter(({ at }) => at > since && at <= until);
  return Math.max(0, ...ended.map(({ ms }) => ms));
}

/** The figures of all rounds in seconds, and what was acknowledged. */
export function describeWaits(
  { tenants }: CrowdedCluster,
  rounds: readonly Readonly<Record<string, number>>[],
): string {
  const names = Object.keys(rounds[0] ?? {});
  const figures = names.map((name) => {
    const seconds = rounds.map((round) => ((round[name] ?? 0) / 1000).toFixed(2));
    return `${name} ${seconds.join(', ')} s`;
  });
  const sum = (count: (tenant: CrowdedCluster['tenants'][number]) => number) =>
    tenants.reduce((total, tenant) => total + count(tenant), 0);
  return [
    ...figures,
    `acknowledged so far: ${sum(({ journal }) => journal.decisions)} decisions`,
    `${sum(({ book }) => book.events.size)} events`,
    `${sum(({ book }) => book.links.size)} links`,
    `${sum(({ book }) => book.settings.answered)} settings`,
    `${sum(({ erased }) => erased.size)} erasures`,
    `${sum(({ exports }) => exports.size)} exports`,
  ].join('; ');
}
