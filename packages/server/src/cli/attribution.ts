import { replayModels, replayReviews } from '../domains/judgement/attribution/index.js';
import { type LedgerOptions, withLedger } from './ledger.js';
import { print, printJson } from './output.js';

interface AttributionOptions extends LedgerOptions {
  readonly json?: boolean;
}

export async function replayAttribution(options: AttributionOptions): Promise<void> {
  const replay = await withLedger(options, async (ledger) => ({
    ...(await replayReviews(ledger)),
    ...(await replayModels(ledger)),
  }));
  if (options.json === true) return printJson(replay);
  const { patterns, mended, models, differing } = replay;
  print(
    mended === 0
      ? `All ${patterns} stored counts agree with the reviews.`
      : `${mended} stored counts differed from the reviews and were corrected.`,
    differing.length === 0
      ? `The newest ${models} models follow from the logs, byte for byte.`
      : `These models do not follow from the logs: ${differing.join(', ')}. Restore a backup.`,
  );
}
