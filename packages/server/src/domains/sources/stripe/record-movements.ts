import { parseTimestamp } from '@decision-ledger/contract/time';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { parseJson } from '@decision-ledger/proof/gate';
import { Type } from 'typebox';
import { lockHead } from '../../../platform/chain/head.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import {
  findLatestVersion,
  recordEvent,
  type Version,
} from '../../record/financial-events/index.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import { carryLinks } from '../../record/links/index.js';
import { movementsOf, type StripeMovement } from './rules/movements.js';
import { readStripeEvent } from './rules/stripe-event.js';
import { selectEventsOfObject } from './store/stripe-events.js';

/** Records the movements of one charge, refund or dispute. */
export const STRIPE_OBJECTS = {
  name: 'stripe-object',
  data: Type.Object({ object_id: Type.String() }),
  once: 'always',
  retries: 10,
  firstDelay: 2,
  longestDelay: 900,
  timeout: 60,
} as const;

/**
 * Records the movements of one Stripe object, from all events received about it. Idempotent.
 * @returns how many movements were recorded
 */
export async function recordMovements(
  ledger: Ledger,
  hooks: RecordHooks,
  objectId: string,
): Promise<number> {
  return ledger.write(async (tx) => {
    await lockHead(tx, 'activity');
    const rows = await selectEventsOfObject(tx, objectId);
    const actor = { scope: ledger.scope, actor: rows.at(-1)?.received_by ?? 'stripe' };
    let recorded = 0;
    for (const movement of movementsOf(
      rows.map(({ payload }) => readStripeEvent(parseJson(payload))),
    )) {
      if (await recordMovement(tx, hooks, actor, movement)) recorded += 1;
    }
    return recorded;
  });
}

/**
 * A movement that a later event corrects supersedes the one before, so the order of arrival does not
 * matter. A movement that a caller deleted stays deleted.
 */
async function recordMovement(
  tx: LedgerWriter,
  hooks: RecordHooks,
  actor: Actor,
  { kind, ...movement }: StripeMovement,
): Promise<boolean> {
  const origin = `stripe/${movement.external_id}/${kind}`;
  const latest = await findLatestVersion(tx, origin);
  const body = { source: 'stripe', ...movement, metadata: { ...movement.metadata } };
  if (latest === null) {
    await recordEvent(tx, hooks, actor, body, { origin });
    return true;
  }
  const { event, version } = latest;
  if (isSame(event, movement) || event.deleted_at !== null) return false;
  const { event_id } = await recordEvent(tx, hooks, actor, body, {
    origin: `${origin}/${version + 1}`,
    supersedes: event.event_id,
  });
  await carryLinks(tx, hooks, actor, event.event_id, event_id);
  return true;
}

function isSame(
  event: Version['event'],
  { amount, currency, timestamp, description, metadata }: Omit<StripeMovement, 'kind'>,
): boolean {
  return (
    event.amount === amount &&
    event.currency === currency &&
    event.timestamp === parseTimestamp(timestamp) &&
    event.description === (description ?? null) &&
    event.metadata === canonicalJson({ ...metadata })
  );
}

export async function stripeJobs(
  jobs: JobQueue,
  { hooks }: { readonly hooks: RecordHooks },
): Promise<void> {
  await jobs.work(STRIPE_OBJECTS, async (ledger, { object_id }) => {
    await recordMovements(ledger, hooks, object_id);
  });
}
