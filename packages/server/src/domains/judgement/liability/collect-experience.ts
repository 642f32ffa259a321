import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import type { Experience } from '@decision-ledger/liability/experience';
import { Learner } from '@decision-ledger/liability/learning';
import type { Ledger } from '../../../platform/ledger.js';
import { selectAmounts } from './store/estimates.js';
import { selectLossOutcomes } from './store/subjects.js';

/** Decisions that one query reads. */
const STEP = 10_000;
const DAY_MS = 86_400_000;

/**
 * Learns from a ledger's decisions: how many cost money, how much of the amount at risk a loss took, and
 * the usual amount at risk. Reads in short steps and writes nothing.
 * @param asOf ms
 */
export async function collectExperience(
  ledger: Ledger,
  settings: LiabilitySettings,
  { asOf, untilSeq }: { readonly asOf: number; readonly untilSeq: number },
  signal: AbortSignal,
): Promise<Experience> {
  const maturity = {
    asOf,
    others: settings.loss_maturity_days * DAY_MS,
    byActionType: Object.entries(settings.loss_maturity_days_by_action_type).map(
      ([actionType, days]): [string, number] => [actionType, days * DAY_MS],
    ),
  };
  const learner = new Learner();
  for (let after = 0; after < untilSeq && !signal.aborted; after += STEP) {
    const until = Math.min(untilSeq, after + STEP);
    learner.addOutcomes(await selectLossOutcomes(ledger, { after, until }, maturity));
    learner.addAmounts(await selectAmounts(ledger, { after, until }));
  }
  return learner.experience();
}
