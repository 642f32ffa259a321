import { invalidField, LedgerError } from '@decision-ledger/contract/errors';
import type { ReviewAnswer, ReviewBody } from '@decision-ledger/contract/review';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { lockHead } from '../../../platform/chain/head.js';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { readSettings } from '../../access/settings/index.js';
import { recordActivity } from '../../log/activity/index.js';
import { readDecision } from '../../record/decisions/index.js';
import { describeEvent, readEvent } from '../../record/financial-events/index.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import {
  createLink,
  describeLink,
  isHuman,
  openShare,
  previewEffect,
  readLinksOfMovement,
  reviewerData,
  reviewerOf,
  reviewLink,
} from '../../record/links/index.js';
import { classifyEvent } from '../../record/money-signs/index.js';
import { isAudit, recordEventVerdict, withdrawEventVerdict } from '../attribution/index.js';

type Event = Awaited<ReturnType<typeof readEvent>>;

/**
 * Records what a person says of an event: which decision caused it, that no recorded one did, or that
 * nobody can tell. A decision that is suggested is confirmed; for any other a link is made.
 * @throws LedgerError `not_found`, `invalid_state`, `conflict`, `validation_error`
 */
export async function answerReview(
  tx: LedgerWriter,
  hooks: RecordHooks,
  principal: Actor,
  id: string,
  body: ReviewBody,
): Promise<ReviewAnswer> {
  const { actor, session } = principal;
  checkBody(body);
  const reviewer = reviewerOf(session, body.reviewer);
  const { now } = await lockHead(tx, 'activity');
  const event = await readEvent(tx, id);
  if (event.deleted_at !== null) {
    throw new LedgerError('invalid_state', 'the financial event is deleted: it cannot be reviewed');
  }
  const financial_event_id = describeEvent(event).id;
  if (body.decision_id !== undefined) {
    await withdrawEventVerdict(tx, event.event_id, now);
    const link = await linkCause(tx, hooks, principal, event, {
      ...body,
      decision_id: body.decision_id,
    });
    return { financial_event_id, verdict: 'cause', link: describeLink(link) };
  }
  const verdict = body.none === true ? 'none' : 'skipped';
  if (verdict === 'none')
    await rejectAll(tx, hooks, principal, event, { ...body, answeredAt: now });
  await recordActivity(tx, {
    type: 'financial_event.reviewed',
    actor,
    subject: financial_event_id,
    when: { event: formatTimestamp(event.timestamp) },
    data: { verdict, ...reviewerData(reviewer) },
  });
  await recordEventVerdict(tx, event.event_id, {
    verdict,
    at: now,
    answeredBy: actor,
  });
  await hooks.causesChanged(tx, [event.event_id]);
  return { financial_event_id, verdict };
}

/** Takes back that no recorded decision caused an event, or that nobody could tell. */
export async function withdrawAnswer(
  tx: LedgerWriter,
  hooks: RecordHooks,
  { actor, session }: Actor,
  id: string,
): Promise<ReviewAnswer> {
  const { now } = await lockHead(tx, 'activity');
  const event = await readEvent(tx, id);
  const subject = describeEvent(event).id;
  if (!(await withdrawEventVerdict(tx, event.event_id, now))) {
    throw new LedgerError(
      'invalid_state',
      'the event has no answer `none` or `skip` to withdraw: to withdraw a link, delete it',
    );
  }
  await recordActivity(tx, {
    type: 'financial_event.reviewed',
    actor,
    subject,
    when: { event: formatTimestamp(event.timestamp) },
    data: { verdict: 'withdrawn', ...reviewerData(reviewerOf(session, undefined)) },
  });
  await hooks.causesChanged(tx, [event.event_id]);
  return { financial_event_id: subject, verdict: 'withdrawn' };
}

function checkBody({ decision_id, strength, link_type, none, skip }: ReviewBody): void {
  const answers = [decision_id, none, skip].filter((answer) => answer !== undefined);
  if (answers.length !== 1) {
    throw invalidField('decision_id', 'send exactly one of decision_id, none and skip');
  }
  if (decision_id !== undefined) return;
  for (const [name, value] of Object.entries({ strength, link_type })) {
    if (value !== undefined) throw invalidField(name, 'only goes with decision_id: leave it out');
  }
}

async function linkCause(
  tx: LedgerWriter,
  hooks: RecordHooks,
  principal: Actor,
  event: Event,
  { decision_id, strength, link_type, reviewer }: ReviewBody & { readonly decision_id: string },
) {
  const kind = (await isAudit(tx, event.event_id)) ? 'audit' : 'review';
  const { attribution } = await readSettings(tx);
  const usual = classifyEvent(attribution, event);
  const links = await readLinksOfMovement(tx, event.event_id);
  const suggested = links.find(
    (link) =>
      !isHuman(link) &&
      link.decision_id === idToUuid('dec', decision_id) &&
      (link_type === undefined || link.link_type === link_type),
  );
  if (suggested !== undefined) {
    const options = {
      ...(strength !== undefined && { strength }),
      ...(reviewer !== undefined && { reviewer }),
      kind,
    } as const;
    const linkId = uuidToId('lnk', suggested.link_id);
    return reviewLink(tx, hooks, principal, linkId, 'confirm', options);
  }
  const body = {
    decision_id,
    financial_event_id: uuidToId('evt', event.event_id),
    correlation_strength: openShare(links, strength),
    link_type: link_type ?? usual.link_type,
    ...((link_type === undefined || link_type === usual.link_type) &&
      usual.reversal && { reversal: true }),
    attribution_method: 'manual',
  } as const;
  const by = reviewerOf(principal.session, reviewer);
  return createLink(tx, hooks, principal, body, { kind, reviewer: by });
}

async function rejectAll(
  tx: LedgerWriter,
  hooks: RecordHooks,
  principal: Actor,
  event: Event,
  { reviewer, answeredAt }: ReviewBody & { readonly answeredAt: number },
): Promise<void> {
  const links = await readLinksOfMovement(tx, event.event_id);
  if (links.some(isHuman)) {
    throw new LedgerError(
      'invalid_state',
      'the event has a link that people made or confirmed: delete it first',
    );
  }
  const kind = (await isAudit(tx, event.event_id)) ? 'audit' : 'review';
  for (const link of links) {
    const linkId = uuidToId('lnk', link.link_id);
    const options = { kind, answeredAt, ...(reviewer !== undefined && { reviewer }) } as const;
    await reviewLink(tx, hooks, principal, linkId, 'reject', options);
  }
}

/**
 * Carries an answer out and undoes it: nothing is stored, recorded or announced.
 * @returns the answer with its effect on the money and the exposure
 * @throws as `answerReview`
 */
export async function previewAnswer(
  ledger: Ledger,
  hooks: RecordHooks,
  principal: Actor,
  id: string,
  body: ReviewBody,
): Promise<ReviewAnswer> {
  const { result, effect } = await previewEffect(ledger, hooks, {
    lock: async (tx) => {
      await lockHead(tx, 'activity');
      const { event_id } = await readEvent(tx, id);
      return { eventId: event_id, seqs: await seqsOf(tx, body) };
    },
    carryOut: (tx) => answerReview(tx, hooks, principal, id, body),
  });
  return { ...result, dry_run: effect };
}

/** A decision that is no suggestion has no share of the event yet. */
async function seqsOf(tx: LedgerWriter, { decision_id }: ReviewBody): Promise<number[]> {
  if (decision_id === undefined) return [];
  return [(await readDecision(tx, decision_id)).seq];
}
