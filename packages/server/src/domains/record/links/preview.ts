import type { ReviewPreview } from '@decision-ledger/contract/dry-run';
import type { LinkBody } from '@decision-ledger/contract/link';
import { lockHead } from '../../../platform/chain/head.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { readDecision } from '../decisions/index.js';
import { readEvent } from '../financial-events/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { createLink } from './create.js';
import { lockLink } from './read.js';
import { type ReviewOptions, reviewLink } from './review.js';
import type { Review } from './rules/status.js';
import { type LinkRow, selectLinksOfEvent } from './store/links.js';

/** What a change of links would result in, and do to the money and the exposure. */
interface Previewed<Result> {
  readonly result: Result;
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
export async function previewEffect<Result>(
  ledger: Ledger,
  hooks: RecordHooks,
  change: LinkChange<Result>,
): Promise<Previewed<Result>> {
  const tried: Previewed<Result>[] = [];
  try {
    await ledger.write(async (tx) => {
      tried.push(await measure(tx, hooks, change));
      throw new Undone('the transaction is undone on purpose');
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  const [only] = tried;
  if (only === undefined) throw new Error('a dry run was committed');
  return only;
}

/** Ends the transaction of a dry run. */
class Undone extends Error {
  override readonly name = 'Undone';
}

async function measure<Result>(
  tx: LedgerWriter,
  hooks: RecordHooks,
  { lock, carryOut }: LinkChange<Result>,
): Promise<Previewed<Result>> {
  const { eventId, seqs } = await lock(tx);
  const before = await hooks.readEffect(tx, eventId, seqs);
  const result = await carryOut(tx);
  const after = await hooks.readEffect(tx, eventId, before.seqs);
  return {
    result,
    effect: {
      currency: after.currency,
      net_before: before.net,
      net_after: after.net,
      exposure_before: before.exposure,
      exposure_after: after.exposure,
      unconverted: before.isUnconverted || after.isUnconverted,
    },
  };
}

/** A link as it would be, and the active links of its event beside it. */
interface LinkAmongOthers {
  readonly link: LinkRow;
  readonly links: readonly LinkRow[];
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
): Promise<Previewed<LinkAmongOthers>> {
  return previewEffect(ledger, hooks, {
    lock: async (tx) => {
      await lockHead(tx, 'activity');
      const { seq } = await readDecision(tx, body.decision_id);
      const { event_id } = await readEvent(tx, body.financial_event_id);
      return { eventId: event_id, seqs: [seq] };
    },
    carryOut: async (tx) => {
      const link = await createLink(tx, hooks, principal, body);
      return { link, links: await selectLinksOfEvent(tx, link.event_id) };
    },
  });
}
