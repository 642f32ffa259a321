import { invalidField, LedgerError } from '@decision-ledger/contract/errors';
import type { Movement, PairBody, PartBody } from '@decision-ledger/contract/financial-event';
import { lockHead } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import {
  type Regrouping,
  readEvent,
  readMovements,
  regroup,
  selectReports,
} from '../financial-events/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { reviewerData, reviewerOf } from '../links/index.js';
import { readStatements } from './compare.js';
import { settleAround } from './follow.js';
import { refuseContradictions } from './refusals.js';

const BY = 'person';

/**
 * Records that reports are of the same money, the first and each other one, which brings their movements together. It holds
 * until somebody parts them.
 * @throws LedgerError `not_found`, `invalid_state` for a deleted event, `validation_error` if it is one event,
 *   `conflict` if their movements contradict each other
 */
export async function pairReports(
  tx: LedgerWriter,
  hooks: RecordHooks,
  { actor, session }: Actor,
  body: PairBody,
): Promise<Movement> {
  const [one, others] = await lockReports(tx, body);
  const [second = one] = others;
  const ids = [one, ...others];
  if (new Set(ids).size < ids.length) throw invalidField('reports', 'must be different events');
  const reports = await selectReports(tx, ids);
  await refuseContradictions(tx, ids, reports);
  const reviewer = reviewerData(reviewerOf(session, undefined));
  const partners = new Map([[one, second], ...others.map((other) => [other, one] as const)]);
  await regroup(tx, hooks, [reports.map(({ event_id }) => event_id)], {
    actor,
    about: ids,
    because: (id) => {
      const partner = partners.get(id);
      return {
        by: BY,
        ...(partner !== undefined && { with: uuidToId('evt', partner) }),
        ...reviewer,
      };
    },
  });
  await settleAround(tx, hooks, ids);
  return readMovement(tx, one);
}

/**
 * Takes back what a person said last of the first report and each other one, whether they are of the same money. What people said
 * before that holds again; else rules decide.
 * @throws LedgerError `not_found`, `invalid_state` for a deleted event, or if nobody said anything of them
 */
export async function withdrawStatement(
  tx: LedgerWriter,
  hooks: RecordHooks,
  { actor, session }: Actor,
  body: PairBody,
): Promise<Movement> {
  const [one, others] = await lockReports(tx, body);
  const said = (await readStatements(tx, [one, ...others])).flatMap(({ pair, isSame }) => {
    const other = others.find((id) => id !== one && pair.includes(one) && pair.includes(id));
    return other === undefined ? [] : [{ other, isSame }];
  });
  if (said.length === 0) {
    const problem = 'nobody said of these events whether they report the same money';
    throw new LedgerError('invalid_state', problem);
  }
  for (const { other, isSame } of said) {
    await state(tx, hooks, other, {
      ...{ actor, type: isSame ? 'movement.parted' : 'movement.paired' },
      because: () => ({
        ...{ by: BY, withdrawn: uuidToId('evt', one) },
        ...reviewerData(reviewerOf(session, undefined)),
      }),
    });
  }
  await settleAround(tx, hooks, [one, ...others]);
  return readMovement(tx, one);
}

/** Records what was said of a report. Its movement stays as it is. */
async function state(
  tx: LedgerWriter,
  hooks: RecordHooks,
  eventId: string,
  why: Omit<Regrouping, 'about'>,
): Promise<void> {
  const reports = await selectReports(tx, [eventId]);
  const movement = reports.map(({ event_id }) => event_id);
  await regroup(tx, hooks, [movement], { ...why, about: [eventId] });
}

/** Locks the activity of the ledger, and reads the reports (UUIDs) that a request is about. */
async function lockReports(
  tx: LedgerWriter,
  { reports: [first = '', ...others] }: PairBody,
): Promise<[string, string[]]> {
  await lockHead(tx, 'activity');
  const one = await readLive(tx, first);
  const rest: string[] = [];
  for (const other of others) rest.push(await readLive(tx, other));
  return [one, rest];
}

async function readLive(tx: LedgerWriter, id: string): Promise<string> {
  const { event_id, deleted_at } = await readEvent(tx, id);
  if (deleted_at === null) return event_id;
  throw new LedgerError('invalid_state', 'the financial event is deleted: it reports no money');
}

/**
 * Records that a report is of other money than another one, or than the rest of its movement. No rule pairs them again.
 * @throws LedgerError `not_found`, `validation_error` if it is one event, `invalid_state` if its movement has no other
 *   report, or the other event is deleted
 */
export async function partReport(
  tx: LedgerWriter,
  hooks: RecordHooks,
  { actor, session }: Actor,
  { report, from }: PartBody,
): Promise<Movement> {
  await lockHead(tx, 'activity');
  const { event_id: parted } = await readEvent(tx, report);
  const other = from === undefined ? null : await readLive(tx, from);
  if (other === parted) throw invalidField('from', 'must be another event');
  const reports = await selectReports(tx, [parted]);
  const rest = reports.flatMap(({ event_id }) => (event_id === parted ? [] : [event_id]));
  const reviewer = reviewerData(reviewerOf(session, undefined));
  const because = (id: string) => ({
    ...{ by: BY, ...reviewer },
    ...(id !== parted && { from: uuidToId('evt', parted) }),
  });
  if (other !== null && !rest.includes(other)) {
    await readLive(tx, report);
    await state(tx, hooks, other, { actor, type: 'movement.parted', because });
  } else if (rest.length > 0) {
    await regroup(tx, hooks, [[parted], rest], { actor, because });
  } else {
    const problem = 'no other event reports this money: there is nothing to part';
    throw new LedgerError('invalid_state', problem);
  }
  await settleAround(tx, hooks, [parted, ...rest, ...(other === null ? [] : [other])]);
  return readMovement(tx, parted);
}

async function readMovement(tx: LedgerWriter, eventId: string): Promise<Movement> {
  const movement = (await readMovements(tx, [eventId])).get(eventId);
  if (movement === undefined) throw new Error('an event belongs to no movement');
  return movement;
}
