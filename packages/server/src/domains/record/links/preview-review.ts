import type { ReviewPreview } from '@decision-ledger/contract/dry-run';
import type { Database, Transaction } from '../../../platform/database.js';
import type { Actor } from '../../../platform/principal.js';
import { money, readEventEffect } from '../../judgement/liability/index.js';
import type { LinkTools } from './create.js';
import { lockLink } from './read.js';
import { type ReviewOptions, reviewLink } from './review.js';
import type { Review } from './rules/transition.js';
import type { LinkRow } from './store/links.js';

export interface PreviewedReview {
  /** As it would be. */
  readonly link: LinkRow;
  readonly effect: ReviewPreview;
}

/** Carries the result of a transaction that is undone. */
class Undone extends Error {
  override readonly name = 'Undone';
  constructor(readonly result: PreviewedReview) {
    super('the transaction is undone on purpose');
  }
}

/**
 * Carries out a review and undoes it: nothing is stored, recorded or announced.
 * @throws as `reviewLink`
 */
export async function previewReview(
  tools: LinkTools & { readonly db: Database },
  principal: Actor,
  linkId: string,
  review: Review,
  options: ReviewOptions = {},
): Promise<PreviewedReview> {
  try {
    await tools.db.transaction(async (tx) => {
      throw new Undone(await carryOut(tools, tx, principal, linkId, review, options));
    });
  } catch (error) {
    if (error instanceof Undone) return error.result;
    throw error;
  }
  throw new Error('a dry run was committed');
}

async function carryOut(
  tools: LinkTools,
  tx: Transaction,
  principal: Actor,
  linkId: string,
  review: Review,
  options: ReviewOptions,
): Promise<PreviewedReview> {
  const { scope } = principal;
  const { event_id } = await lockLink(tx, scope, linkId);
  const before = await readEventEffect(tx, scope, event_id);
  const link = await reviewLink(tools, tx, principal, linkId, review, options);
  const after = await readEventEffect(tx, scope, event_id, before.seqs);
  const { currency } = after;
  return {
    link,
    effect: {
      currency,
      net_before: money(before.net, currency),
      net_after: money(after.net, currency),
      exposure_before: money(before.exposure, currency),
      exposure_after: money(after.exposure, currency),
      unconverted: before.isUnconverted || after.isUnconverted,
    },
  };
}
