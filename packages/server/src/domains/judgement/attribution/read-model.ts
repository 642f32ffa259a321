import { ATTRIBUTION_VERSION } from '@decision-ledger/attribution/snapshot';
import type { AttributionModel } from '@decision-ledger/contract/analytics-quality';
import { notFound } from '@decision-ledger/contract/errors';
import type { LedgerReader } from '../../../platform/ledger.js';
import { selectModel, selectNewestModel } from './store/attribution-models.js';
import { openModel, snapshotDigest } from './stored-model.js';

/**
 * A model of a ledger, with which anybody can recompute the scores that name it.
 * @param modelId undefined for the newest
 * @throws LedgerError `not_found` for a model that is not of this version, and before the first one
 */
export async function readAttributionModel(
  ledger: LedgerReader,
  modelId: number | undefined,
): Promise<AttributionModel> {
  const row =
    modelId === undefined ? await selectNewestModel(ledger) : await selectModel(ledger, modelId);
  if (row === null || row.version !== ATTRIBUTION_VERSION) throw notFound('model');
  return {
    model: row.model_id,
    version: row.version,
    sha256: snapshotDigest(row.snapshot),
    weights: { ...openModel(row).snapshot.weights },
    snapshot: row.snapshot,
  };
}
