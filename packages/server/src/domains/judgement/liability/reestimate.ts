import type { LiabilityUpdate } from '@decision-ledger/contract/liability';
import { Big } from 'big.js';
import type { Queryable, Transaction } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Scope } from '../../../platform/scope.js';
import { type Announcement, announce } from '../../log/announcements/index.js';
import { money, toRow } from './describe.js';
import { estimateDecision, type LinkedMoney } from './estimate-decision.js';
import {
  insertHistory,
  type Reestimate,
  updateEstimates,
  type WhichDecisions,
} from './store/estimates.js';
import { changeCells } from './store/exposure.js';
import type { StateRow } from './store/liability-states.js';
import { selectLinkedMoney } from './store/link-allocations.js';
import { type SubjectRow, selectSubjects } from './store/subjects.js';
import type { Model } from './stored-snapshot.js';

/** Context of a transaction that changes estimates and holds the lock on the state. */
export interface Terms {
  readonly model: Model;
  readonly state: StateRow;
  /** ms. */
  readonly asOf: number;
}

/**
 * Re-estimates decisions. If the exposure changes by a minor unit or more, the previous estimate is kept
 * in the history and the change is announced. A smaller change only updates the estimate.
 * @returns number of announced changes
 */
export async function reestimate(
  tx: Transaction,
  scope: Scope,
  { model, state, asOf }: Terms,
  which: WhichDecisions,
): Promise<number> {
  const changes = (await changesOf(tx, scope, model, asOf, which)).filter(
    ({ subject, next }) => !isSame(subject, next.estimate),
  );
  if (changes.length === 0) return 0;
  const revised = changes.filter(({ isRevised }) => isRevised);
  const announcements = revised.map(({ subject, next }) => describeChange(subject, next));
  const rows = changes.map(({ next }) => next);
  // Sent together, in this order: history and cells need the previous estimates.
  const results = await Promise.allSettled([
    revised.length > 0 &&
      insertHistory(
        tx,
        scope,
        revised.map(({ subject }) => subject.seq),
      ),
    changeCells(tx, scope, state.rolled_seq, rows),
    updateEstimates(tx, scope, model.snapshotId, rows, asOf),
  ]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  await announce(tx, scope, announcements, asOf);
  return announcements.length;
}

/** Re-estimates decisions whose inputs were erased; the previous estimates are not kept. */
export async function replaceEstimates(
  tx: Transaction,
  scope: Scope,
  { model, state, asOf }: Terms,
  which: WhichDecisions,
): Promise<void> {
  const rows = (await changesOf(tx, scope, model, asOf, which)).map(({ next }) => next);
  await changeCells(tx, scope, state.rolled_seq, rows);
  await updateEstimates(tx, scope, model.snapshotId, rows, asOf);
}

async function changesOf(
  tx: Transaction,
  scope: Scope,
  model: Model,
  asOf: number,
  which: WhichDecisions,
): Promise<ChangeOfEstimate[]> {
  const [subjects, linked] = await Promise.all([
    selectSubjects(tx, scope, which),
    readLinkedMoney(tx, scope, model, which),
  ]);
  return subjects.map((subject) => changeOf(model, subject, linked.get(subject.seq) ?? null, asOf));
}

async function readLinkedMoney(
  tx: Queryable,
  scope: Scope,
  { convert }: Model,
  which: WhichDecisions,
): Promise<Map<number, LinkedMoney>> {
  const bySeq = new Map<number, LinkedMoney>();
  for (const row of await selectLinkedMoney(tx, scope, which)) {
    const before = bySeq.get(row.seq) ?? NOTHING;
    const linked = convert(row.linked, row.currency, row.at);
    const lost = convert(row.lost, row.currency, row.at);
    bySeq.set(row.seq, {
      linked: before.linked.plus(linked ?? 0),
      lost: before.lost.plus(lost ?? 0),
      unconverted: before.unconverted + (linked === null ? row.links : 0),
    });
  }
  return bySeq;
}

const NOTHING: LinkedMoney = { linked: new Big(0), lost: new Big(0), unconverted: 0 };

interface ChangeOfEstimate {
  readonly subject: SubjectRow;
  readonly next: Reestimate;
  readonly isRevised: boolean;
}

function changeOf(
  model: Model,
  subject: SubjectRow,
  linked: LinkedMoney | null,
  asOf: number,
): ChangeOfEstimate {
  const { seq, stated_amount, stated_currency } = subject;
  const facts = {
    actionType: subject.action_type,
    confidence: subject.confidence,
    oversight: subject.oversight,
    timestamp: subject.timestamp,
    stated: stated_amount === null ? null : { amount: stated_amount, currency: stated_currency },
  };
  const estimated = estimateDecision(model, facts, linked, asOf);
  const estimate = toRow(model, estimated, subject.revision, asOf);
  const isRevised =
    subject.currency !== estimate.currency ||
    money(subject.exposure, subject.currency) !== money(estimate.exposure, estimate.currency);
  const revision = subject.revision + (isRevised ? 1 : 0);
  return {
    subject,
    isRevised,
    next: { seq, stake: estimated.stake, estimate: { ...estimate, revision } },
  };
}

const COMPARED = [
  'currency',
  'exposure',
  'low',
  'high',
  'amount_at_risk',
  'realised',
  'open_share',
  'unconverted',
] as const;

function isSame(before: SubjectRow, after: Reestimate['estimate']): boolean {
  return COMPARED.every((name) => before[name] === after[name]);
}

function describeChange(before: SubjectRow, { estimate }: Reestimate): Announcement {
  const { currency, version, revision } = estimate;
  const decision_id = uuidToId('dec', before.decision_id);
  const data: LiabilityUpdate = {
    decision_id,
    exposure: money(estimate.exposure, currency),
    low: money(estimate.low, currency),
    high: money(estimate.high, currency),
    currency,
    version,
    revision,
    previous_exposure: money(before.exposure, before.currency),
  };
  return { type: 'liability_estimate.updated', subject: decision_id, data };
}
