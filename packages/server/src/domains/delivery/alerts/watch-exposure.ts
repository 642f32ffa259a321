import { roundToMinorUnit } from '@decision-ledger/amounts/minor-units';
import type { Settings } from '@decision-ledger/contract/settings';
import { Big } from 'big.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import { selectOpenExposure } from '../../judgement/liability/index.js';
import { announce } from '../../log/announcements/index.js';
import { makeAlert } from './make-alert.js';
import { changeState, type StoredState } from './stored-state.js';

/**
 * Reports once that more may still be lost than the threshold, and again once it was less, or once the threshold was
 * changed.
 */
export async function watchExposure(
  ledger: Ledger,
  { base_currency: currency, liability: { exposure_alert_threshold } }: Settings,
): Promise<void> {
  if (exposure_alert_threshold === null) return;
  const limit = { currency, threshold: exposure_alert_threshold };
  await changeState(ledger, (tx, before) => reportExposure(tx, before, limit));
}

interface Limit {
  readonly currency: string;
  /** Decimal text. */
  readonly threshold: string;
}

async function reportExposure(
  tx: LedgerWriter,
  before: StoredState,
  { currency, threshold }: Limit,
): Promise<StoredState> {
  const open = await selectOpenExposure(tx, currency);
  if (open === null) return before;
  const { exposureTold, ...others } = before;
  if (new Big(open).lte(threshold)) return others;
  if (exposureTold === threshold) return before;
  const data = {
    currency,
    open: roundToMinorUnit(open, currency),
    threshold: roundToMinorUnit(threshold, currency),
  };
  await makeAlert(tx, { type: 'exposure.exceeded', data });
  const subject = uuidToId('led', tx.ledgerId);
  await announce(tx, [{ type: 'exposure.exceeded', subject, data }], tx.clock.now());
  return { ...others, exposureTold: threshold };
}
