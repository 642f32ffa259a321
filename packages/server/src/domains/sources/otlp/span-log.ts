import type { OTLP_IGNORED, SpanGroup } from '@decision-ledger/contract/otlp';
import { reasonOf } from '../../../platform/failures.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { mergeSpanGroups } from './merge-span-groups.js';
import { type KeptGroup, SpanGroups } from './rules/span-groups.js';
import { selectSpanGroups } from './store/span-groups.js';

/** What arrived over OTLP in the last day. */
export interface SpanLog {
  /** Counts the spans of a request. They are stored later, together with those of other requests. */
  add(ledger: Ledger, groups: SpanGroups): void;
  /** Counts a request whose content is not read. */
  addRequest(
    ledger: Ledger,
    signal: SpanGroup['signal'],
    reason: (typeof OTLP_IGNORED)[number],
  ): void;
  /** What is stored, and what waits in this process. */
  read(ledger: LedgerReader): Promise<KeptGroup[]>;
  /** Stores what waits. */
  close(): Promise<void>;
}

/** How long what arrived is collected before it is stored: what a process that is killed loses. */
const COLLECT_MS = 10_000;

interface Waiting {
  readonly ledger: Ledger;
  readonly groups: SpanGroups;
  readonly timer: NodeJS.Timeout;
}

/** @param onFailure called with the reason when nothing could be stored; it is tried again */
export function spanLog(onFailure: (reason: string) => void): SpanLog {
  const waiting = new Map<string, Waiting>();
  const writes = new Set<Promise<void>>();
  let isClosed = false;

  function waitingOf(ledger: Ledger): SpanGroups {
    const known = waiting.get(ledger.ledgerId);
    if (known !== undefined) return known.groups;
    const groups = new SpanGroups();
    const timer = setTimeout(() => store(ledger, groups), COLLECT_MS).unref();
    waiting.set(ledger.ledgerId, { ledger, groups, timer });
    return groups;
  }

  function store(ledger: Ledger, groups: SpanGroups): void {
    waiting.delete(ledger.ledgerId);
    const kept = groups.kept();
    const write = ledger
      .write((tx) => mergeSpanGroups(tx, kept))
      .catch((error: unknown) => {
        onFailure(reasonOf(error));
        if (!isClosed) waitingOf(ledger).merge(kept, ledger.clock.now());
      })
      .finally(() => writes.delete(write));
    writes.add(write);
  }

  return {
    add(ledger, groups) {
      waitingOf(ledger).merge(groups.kept(), ledger.clock.now());
    },
    addRequest(ledger, signal, reason) {
      const unread = { scope: null, scope_version: null, taken_by: null };
      const arrival = { signal, ...unread, result: 'ignored', reason } as const;
      waitingOf(ledger).add(arrival, ledger.clock.now());
    },
    async read(ledger) {
      const all = new SpanGroups();
      const now = ledger.clock.now();
      all.merge(await selectSpanGroups(ledger), now);
      all.merge(waiting.get(ledger.ledgerId)?.groups.kept() ?? [], now);
      return all.kept();
    },
    async close() {
      isClosed = true;
      for (const { ledger, groups, timer } of waiting.values()) {
        clearTimeout(timer);
        store(ledger, groups);
      }
      await Promise.all(writes);
    },
  };
}
