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
import type { StripeMovement } from './rules/movements.js';
import { readRecords } from './rules/records.js';
import { movementsIn } from './rules/settlement.js';
import { selectEventsOfCharge } from './store/stripe-events.js';

/** Records the movements of one charge, its refunds and its disputes. */
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
 * Records the movements of one charge, from all events received about it, its refunds and its disputes. Idempotent.
 * @returns how many movements were recorded
 */
export async function recordMovements(
  ledger: Ledger,
  hooks: RecordHooks,
  chargeId: string,
): Promise<number> {
  return ledger.write(async (tx) => {
    await lockHead(tx, 'activity');
    const rows = await selectEventsOfCharge(tx, chargeId);
    const actor = { scope: ledger.scope, actor: rows.at(-1)?.received_by ?? 'stripe' };
    const movements = movementsIn(readRecords(rows.map(({ payload }) => parseJson(payload))));
    const total = movements.find(({ kind }) => kind === 'unnamed_refund');
    const unnamed = await findUnnamed(tx, chargeId);
    let former = total !== undefined && isZero(total) ? unnamed.latest : null;
    let recorded = 0;
    for (const movement of movements) {
      if (movement === total) continue;
      const origin = `stripe/${movement.external_id}/${movement.kind}`;
      const latest = await findLatestVersion(tx, origin);
      const isNamed = former !== null && latest === null && movement.kind === 'refund';
      const place = { origin, latest, ...(isNamed && { former }) };
      if (await recordMovement(tx, hooks, actor, movement, place)) recorded += 1;
      if (isNamed) former = null;
    }
    // One that a refund has just taken over is past.
    const isOpen = total !== undefined && (!isZero(total) || former !== null);
    if (isOpen && (await recordMovement(tx, hooks, actor, total, unnamed))) recorded += 1;
    return recorded;
  });
}

const isZero = ({ amount }: StripeMovement) => /^[0.]+$/.test(amount);

interface Recorded {
  readonly origin: string;
  /** What was recorded of it so far. */
  readonly latest: Version | null;
  /** What this movement replaces when it is first recorded. */
  readonly former?: Version | null;
}

/**
 * The refunds of a charge that are known by their total alone. A refund that becomes known by its id supersedes them and takes
 * over their links. A total that grows after that is a new movement.
 */
async function findUnnamed(tx: LedgerWriter, chargeId: string): Promise<Recorded> {
  for (let n = 1; ; n += 1) {
    const origin = `stripe/${chargeId}/unnamed_refund${n === 1 ? '' : `-${n}`}`;
    const latest = await findLatestVersion(tx, origin);
    if (latest === null || latest.event.external_id === chargeId) return { origin, latest };
  }
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
  { origin, latest, former = null }: Recorded,
): Promise<boolean> {
  if (latest !== null && (latest.event.deleted_at !== null || isSame(latest.event, movement))) {
    return false;
  }
  const body = { source: 'stripe', ...movement, metadata: { ...movement.metadata } };
  const before = latest ?? (former?.event.deleted_at === null ? former : null);
  const { event_id } = await recordEvent(tx, hooks, actor, body, {
    origin: latest === null ? origin : `${origin}/${latest.version + 1}`,
    ...(before !== null && { supersedes: before.event.event_id }),
  });
  if (before !== null) await carryLinks(tx, hooks, actor, before.event.event_id, event_id);
  return true;
}

function isSame(
  event: Version['event'],
  { event_type, amount, currency, timestamp, description, metadata }: Omit<StripeMovement, 'kind'>,
): boolean {
  return (
    event.event_type === event_type &&
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
