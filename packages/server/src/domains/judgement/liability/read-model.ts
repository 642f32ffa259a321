import { notFound } from '@decision-ledger/contract/errors';
import type {
  LiabilityModelFigures,
  LiabilityModelQuery,
} from '@decision-ledger/contract/liability';
import { ownValue } from '@decision-ledger/liability/action-type';
import { LIABILITY_VERSION } from '@decision-ledger/liability/estimator';
import type { LedgerReader } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { newestEstimationModel } from './models.js';
import { selectSnapshotById } from './store/snapshots.js';
import { type EstimationModel, openSnapshot } from './stored-snapshot.js';

/**
 * The settings and learned figures that estimates of an action type follow from.
 * @throws LedgerError `not_found` for a snapshot that is not of this version
 */
export async function readLiabilityModel(
  ledger: LedgerReader,
  { action_type, snapshot }: LiabilityModelQuery,
): Promise<LiabilityModelFigures> {
  const settings = await readSettings(ledger);
  if (snapshot === undefined)
    return figuresOf(await newestEstimationModel(ledger, settings), action_type);
  const row = await selectSnapshotById(ledger, snapshot);
  if (row === null || row.version !== LIABILITY_VERSION) throw notFound('snapshot');
  return figuresOf(openSnapshot(row), action_type);
}

function figuresOf(model: EstimationModel, actionType: string): LiabilityModelFigures {
  const { tallies, rates, controls, severity, usualAmount, rateOf } =
    model.estimator.modelOf(actionType);
  const learned = ownValue(model.experience.action_types, actionType);
  const { count, sum, squares } = learned?.severity ?? { count: 0, sum: 0, squares: 0 };
  return {
    snapshot: model.snapshotId,
    version: model.version,
    currency: model.currency,
    settings: model.settings,
    action_type: actionType,
    spread: rates.spread,
    rate: rates.type,
    usual_rate: controls.usual,
    human_factors: controls.humanFactors,
    severity: {
      ...{ count, sum, squares },
      mean: severity.mean,
      spread: severity.spread,
      uncertainty: severity.uncertainty,
    },
    usual_amount: usualAmount.amount,
    variants: (learned?.variants ?? []).map((variant, index) => ({
      agent_id: variant.agent_id,
      variant: variant.variant,
      outcomes: [...variant.outcomes],
      usual: {
        decisions: tallies[index]?.decisions ?? 0,
        losses: tallies[index]?.losses ?? 0,
      },
      rate: rateOf(variant.agent_id, variant.variant).version.rate,
    })),
  };
}
