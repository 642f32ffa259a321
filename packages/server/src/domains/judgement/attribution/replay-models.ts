import { learnModel } from '@decision-ledger/attribution/learning';
import { ATTRIBUTION_VERSION } from '@decision-ledger/attribution/snapshot';
import { inTurns } from '../../../platform/in-turns.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { readLearningInput } from './learning-input.js';
import { type ModelRow, selectNewestModels } from './store/attribution-models.js';
import { openSettingsText, snapshotText } from './stored-model.js';

/** How many models are learned again. */
const MAX_MODELS = 50;

export interface ModelReplay {
  /** How many models were learned again from the logs: the newest, at most 50. */
  readonly models: number;
  /** The numbers of those whose stored text differs, oldest first. */
  readonly differing: readonly number[];
}

/** Learns the newest models again from the logs of reviews and observations. Nothing is written. */
export async function replayModels(ledger: LedgerReader): Promise<ModelReplay> {
  const rows = await selectNewestModels(ledger, MAX_MODELS);
  const own = rows.filter(({ version }) => version === ATTRIBUTION_VERSION).reverse();
  const differing: number[] = [];
  for (const row of own) {
    if ((await relearn(ledger, row)) !== row.snapshot) differing.push(row.model_id);
  }
  return { models: own.length, differing };
}

async function relearn(ledger: LedgerReader, row: ModelRow): Promise<string> {
  const marks = { reviews: row.reviews_seq, observations: row.observations_seq };
  const input = await readLearningInput(ledger, marks);
  const settings = openSettingsText(row.settings);
  return snapshotText(await inTurns(learnModel({ ...input, settings, today: row.as_of_day })));
}
