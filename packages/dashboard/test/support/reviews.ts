import type { Ledger } from '@decision-ledger/client';

/** Four more events than may be drawn as audits, so that the queue has both. */
const EVENTS = 34;

/** Records decisions and the events that they caused, and waits until the ledger has scored them all. */
export async function recordCases(ledger: Ledger, source: string): Promise<void> {
  for (let n = 0; n < EVENTS; n += 1) ledger.record(decisionOf(source, n));
  await ledger.flush({ timeoutMs: 240_000 });
  // Together, so that the ledger scores many at a time.
  await Promise.all(
    Array.from({ length: EVENTS }, (_, n) => ledger.events.create(eventOf(source, n))),
  );
  for (let tries = 0; tries < 800; tries += 1) {
    if (await isSuggested(ledger, source)) return;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  throw new Error('the ledger suggests no link');
}

async function isSuggested(ledger: Ledger, source: string): Promise<boolean> {
  // The whole list costs the ledger much more than one of its events.
  const { open } = await ledger.reviews.list({ source, limit: 1 }).page();
  if (open.is_scoring) return false;
  const { reviews } = await ledger.reviews.list({ source, limit: 100 }).page();
  const queue = reviews.filter(({ kind }) => kind === 'queue');
  const isComplete = reviews.length === EVENTS && queue.length > 0;
  return isComplete && queue.every(({ candidates }) => candidates[0]?.link_id !== undefined);
}

function decisionOf(source: string, n: number) {
  return {
    ...{ agent_id: `${source}-agent`, action_type: 'refund', confidence: 0.9 },
    inputs: { order: `${source}-${1000 + n}`, reason: 'damaged' },
    outputs: { approved: true, amount: `${40 + n}.25`, currency: 'USD' },
    metadata: { order_id: `${source}-${1000 + n}` },
    timestamp: new Date(Date.parse('2026-04-10T08:00:00Z') + n * 3_600_000).toISOString(),
  };
}

function eventOf(source: string, n: number) {
  return {
    ...{ source, event_type: 'refund', amount: `-${40 + n}.25`, currency: 'USD' },
    external_id: `${source}-${n}`,
    description: `Refund of order ${source}-${1000 + n}`,
    metadata: { order_id: `${source}-${1000 + n}` },
    timestamp: new Date(Date.parse('2026-04-10T09:00:00Z') + n * 3_600_000).toISOString(),
  };
}
