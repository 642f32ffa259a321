import type { Transaction } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Scope } from '../../../platform/scope.js';
import { withdrawAnnouncements } from '../../log/announcements/index.js';
import { currentModel } from './models.js';
import type { RecalculateTools } from './recalculate.js';
import { replaceEstimates } from './reestimate.js';
import { lockState } from './store/liability-states.js';
import { selectSubjects } from './store/subjects.js';

/**
 * Runs the change that erases the amount in a decision's outputs, then estimates the decision without
 * it. An exposure reveals the amount that it is based on, so earlier estimates are not kept and their
 * announcements are deleted.
 * @param seq of the decision
 */
export async function forgetStatedAmount(
  { clock }: RecalculateTools,
  tx: Transaction,
  scope: Scope,
  seq: number,
  change: () => Promise<void>,
): Promise<void> {
  const which = { seqs: [seq] };
  const state = await lockState(tx, scope);
  const [subject] = await selectSubjects(tx, scope, which);
  await change();
  if (subject === undefined || subject.stated_amount === null) return;
  const asOf = clock.now();
  const model = await currentModel(tx, scope, asOf);
  await replaceEstimates(tx, scope, { model, state, asOf }, which);
  await withdrawAnnouncements(tx, scope, uuidToId('dec', subject.decision_id));
}
