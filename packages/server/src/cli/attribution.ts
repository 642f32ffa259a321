import { replayModels } from '../domains/judgement/attribution/index.js';
import { type LedgerOptions, withLedger } from './ledger.js';
import { print, printJson } from './output.js';

interface AttributionOptions extends LedgerOptions {
  readonly json?: boolean;
}

export async function replayAttribution(options: AttributionOptions): Promise<void> {
  const replay = await withLedger(options, replayModels);
  if (options.json === true) return printJson(replay);
  const { models, differing } = replay;
  print(
    differing.length === 0
      ? `The newest ${models} models follow from the logs, byte for byte.`
      : `These models do not follow from the logs: ${differing.join(', ')}. Restore a backup.`,
  );
}
