import { roundToMinorUnit } from '@decision-ledger/amounts/minor-units';
import type { ReviewPreview } from '@decision-ledger/contract/dry-run';
import type { LinkBody } from '@decision-ledger/contract/link';
import { Big } from 'big.js';
import { lockHead } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { readDecision } from '../decisions/index.js';
import { readEvent, selectReports } from '../financial-events/index.js';
import type { EventEffect, RecordHooks } from '../hooks/index.js';
import { createLink } from './create.js';
import { lockLink } from './read.js';
import { type ReviewOptions, reviewLink } from './review.js';
import type { Review } from './rules/status.js';
import { type LinkRow, selectLinksOfMovement } from './store/links.js';

/** Ends the transaction of what is tried out. */
class Undone extends Error {
  override readonly name = 'Undone';
}

/** Carries out what writes, and undoes it: nothing is stored, recorded or announced. */
export async function tryOut<Result>(
  ledger: Ledger,
  work: (tx: LedgerWriter) => Promise<Result>,
): Promise<Result> {
  const results: Result[] = [];
  try {
    await ledger.write(async (tx) => {
      results.push(await work(tx));
      throw new Undone('the transaction is undone on purpose');
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  const [only] = results;
  if (only === undefined) throw new Error('what was tried out was committed');
  return only;
}

/** What a change of links would result in, and do to the money and the exposure. */
interface Previewed<Result> {
  readonly result: Result;
  /** The active links of the movement of the event, as they would be. */
  readonly links: readonly LinkRow[];
  readonly effect: ReviewPreview;
}

/**
 * Carries out a review of a link and undoes it: nothing is stored, recorded or announced.
 * @returns the link as it would be
 * @throws as `reviewLink`
 */
export function previewReview(
  ledger: Ledger,
  hooks: RecordHooks,
  principal: Actor,
  linkId: string,
  review: Review,
  options: ReviewOptions = {},
): Promise<Previewed<LinkRow>> {
  return previewEffect(ledger, hooks, {
    lock: async (tx) => ({ eventId: (await lockLink(tx, linkId)).event_id }),
    carryOut: (tx) => reviewLink(tx, hooks, principal, linkId, review, options),
  });
}

/** A change of the links of one event. */
interface LinkChange<Result> {
  /** Locks the event (UUID). `seqs`: decisions that will have a share of it. */
  lock(tx: LedgerWriter): Promise<{ readonly eventId: string; readonly seqs?: readonly number[] }>;
  carryOut(tx: LedgerWriter): Promise<Result>;
}

/** Carries out a change of the links of an event and undoes it: nothing is stored, recorded or announced. */
export function previewEffect<Result>(
  ledger: Ledger,
  hooks: RecordHooks,
  change: LinkChange<Result>,
): Promise<Previewed<Result>> {
  return tryOut(ledger, (tx) => measure(tx, hooks, change));
}

async function measure<Result>(
  tx: LedgerWriter,
  hooks: RecordHooks,
  { lock, carryOut }: LinkChange<Result>,
): Promise<Previewed<Result>> {
  const { eventId, seqs } = await lock(tx);
  const reports = await reportsWith(tx, eventId);
  const before = await hooks.readEffect(tx, eventId, seqs);
  const result = await carryOut(tx);
  const parted = reports.length > 1 ? await partedBy(tx, hooks, eventId, reports) : [];
  const effects = await readEffects(tx, hooks, [eventId, ...parted], before.seqs);
  const [after] = effects;
  const net = effects.reduce((sum, one) => sum.plus(one.net), new Big(0));
  return {
    result,
    links: await selectLinksOfMovement(tx, eventId),
    effect: {
      currency: after.currency,
      net_before: before.net,
      net_after: roundToMinorUnit(net.toFixed(), after.currency),
      exposure_before: before.exposure,
      exposure_after: after.exposure,
      unconverted: before.isUnconverted || effects.some(({ isUnconverted }) => isUnconverted),
      parted: parted.map((id) => uuidToId('evt', id)),
    },
  };
}

/** The reports (UUIDs) of the movement of an event. */
async function reportsWith(tx: LedgerWriter, eventId: string): Promise<string[]> {
  return (await selectReports(tx, [eventId])).map(({ event_id }) => event_id);
}

/** The reports that rules part from an event, because its links are of other decisions than theirs now. */
async function partedBy(
  tx: LedgerWriter,
  hooks: RecordHooks,
  eventId: string,
  reports: readonly string[],
): Promise<string[]> {
  await hooks.linksChanged(tx, eventId);
  const left = new Set(await reportsWith(tx, eventId));
  return reports.filter((id) => !left.has(id));
}

/** What each of some events counts for by itself; the first one with the exposure of the decisions. */
async function readEffects(
  tx: LedgerWriter,
  hooks: RecordHooks,
  [first, ...parted]: readonly [string, ...string[]],
  seqs: readonly number[],
): Promise<[EventEffect, ...EventEffect[]]> {
  const effects: [EventEffect, ...EventEffect[]] = [await hooks.readEffect(tx, first, seqs)];
  const leads = new Set((await selectReports(tx, parted)).map(({ lead_id }) => lead_id));
  for (const lead of leads) effects.push(await hooks.readEffect(tx, lead));
  return effects;
}

/**
 * Makes a link and undoes it: nothing is stored, recorded or announced.
 * @throws as `createLink`
 */
export function previewLink(
  ledger: Ledger,
  hooks: RecordHooks,
  principal: Actor,
  body: LinkBody,
): Promise<Previewed<LinkRow>> {
  return previewEffect(ledger, hooks, {
    lock: async (tx) => {
      await lockHead(tx, 'activity');
      const { seq } = await readDecision(tx, body.decision_id);
      const { event_id } = await readEvent(tx, body.financial_event_id);
      return { eventId: event_id, seqs: [seq] };
    },
    carryOut: (tx) => createLink(tx, hooks, principal, body),
  });
}
