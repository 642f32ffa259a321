import type { Act } from '@decision-ledger/demo/year';
import { readSettings } from '../../domains/access/settings/index.js';
import { appendDecisions, eraseFields } from '../../domains/record/decisions/index.js';
import { recordEvent } from '../../domains/record/financial-events/index.js';
import { createLink } from '../../domains/record/links/index.js';
import { classifyEvent } from '../../domains/record/money-signs/index.js';
import type { Clock } from '../../platform/clock.js';
import { uuidToId } from '../../platform/ids.js';
import type { LedgerWriter } from '../../platform/ledger.js';
import type { Principal } from '../../platform/principal.js';
import type { Service } from '../../service.js';

type ActOf<Kind extends Act['kind']> = Extract<Act, { readonly kind: Kind }>;

/** What a preparation works with, and what it has recorded so far. */
export interface Preparation {
  readonly service: Service;
  readonly time: MovingTime;
  /** Who records and links. */
  readonly importer: Principal;
  /** Public ids of decisions, by the ref of the plan. */
  readonly decisions: Map<number, string>;
  /** The ref of the decision that caused an event, or null, by the public id of the event. */
  readonly causes: Map<string, number | null>;
}

/** What is delivered together is recorded at one time. */
const DELIVERY = { acts: 60, ms: 4 * 3_600_000 };

/** Records acts in their order, each some time after it happened. */
export async function recordActs(
  preparation: Preparation,
  acts: readonly Act[],
  onRecorded: (acts: number) => void,
): Promise<void> {
  for (let from = 0; from < acts.length; ) {
    const delivery = deliveryAt(acts, from);
    await deliver(preparation, delivery);
    from += delivery.length;
    onRecorded(delivery.length);
  }
}

function deliveryAt(acts: readonly Act[], from: number): readonly Act[] {
  const until = (acts[from]?.at ?? 0) + DELIVERY.ms;
  const most = acts.slice(from, from + DELIVERY.acts);
  const late = most.findIndex(({ at }) => at > until);
  return late < 0 ? most : most.slice(0, late);
}

async function deliver(preparation: Preparation, acts: readonly Act[]): Promise<void> {
  const { service, importer, time } = preparation;
  time.moveTo(acts.at(-1)?.at ?? 0);
  const of = <Kind extends Act['kind']>(kind: Kind) =>
    acts.filter((act): act is ActOf<Kind> => act.kind === kind);
  const decisions = of('decision');
  if (decisions.length > 0) await recordDecisions(preparation, decisions);
  const [events, erasures] = [of('event'), of('erasure')];
  if (events.length === 0 && erasures.length === 0) return;
  await service.db.ledger(importer.scope).write(async (tx) => {
    for (const event of events) await recordPlanned(preparation, tx, event);
    for (const erasure of erasures) await erasePlanned(preparation, tx, erasure);
  });
}

async function recordDecisions(
  { service, importer, decisions }: Preparation,
  planned: readonly ActOf<'decision'>[],
): Promise<void> {
  const { receipts } = await appendDecisions(service, importer.scope, {
    bodies: planned.map(({ body }) => body),
    withLiability: false,
    path: (index) => `decisions[${index}].`,
    idempotency: null,
  });
  for (const [index, { decision_id }] of receipts.entries()) {
    const ref = planned[index]?.ref;
    if (ref !== undefined) decisions.set(ref, decision_id);
  }
}

async function recordPlanned(
  { service, importer, decisions, causes }: Preparation,
  tx: LedgerWriter,
  { body, cause, isNamed }: ActOf<'event'>,
): Promise<void> {
  const { event_id } = await recordEvent(tx, service.hooks, importer, body);
  const id = uuidToId('evt', event_id);
  causes.set(id, cause);
  const decision_id = cause === null ? undefined : decisions.get(cause);
  if (!isNamed || decision_id === undefined) return;
  const { attribution } = await readSettings(tx);
  const { link_type, reversal } = classifyEvent(attribution, body);
  await createLink(tx, service.hooks, importer, {
    ...{ decision_id, financial_event_id: id, correlation_strength: 1, link_type },
    ...(reversal && { reversal }),
    attribution_method: 'direct',
  });
}

async function erasePlanned(
  { service, importer, decisions }: Preparation,
  tx: LedgerWriter,
  { ref, body }: ActOf<'erasure'>,
): Promise<void> {
  const id = decisions.get(ref);
  if (id !== undefined) await eraseFields(tx, service.hooks, importer, id, body);
}

/** A time that its owner moves forward, for the service and for its database. */
export interface MovingTime extends Clock {
  /** The time as the engine's thread reads it. */
  readonly shared: SharedArrayBuffer;
  /** Moves to this time (ms); never back. */
  moveTo(ms: number): void;
}

export function movingTime(start: number): MovingTime {
  const shared = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  const time = new BigInt64Array(shared);
  const now = () => Number(Atomics.load(time, 0));
  const moveTo = (ms: number) => {
    Atomics.store(time, 0, BigInt(Math.max(now(), Math.round(ms))));
  };
  moveTo(start);
  return { shared, now, moveTo };
}
