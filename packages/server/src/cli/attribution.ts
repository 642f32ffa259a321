import { replayReviews } from '../domains/judgement/attribution/index.js';
import { type LedgerOptions, withLedger } from './ledger.js';
import { print, printJson } from './output.js';

interface AttributionOptions extends LedgerOptions {
  readonly json?: boolean;
}

export async function replayAttribution(options: AttributionOptions): Promise<void> {
  const replay = await withLedger(options, ({ db }, { scope }) => replayReviews(db, scope));
  if (options.json === true) return printJson(replay);
  const { patterns, mended } = replay;
  print(
    mended === 0
      ? `All ${patterns} stored counts agree with the reviews.`
      : `${mended} stored counts differed from the reviews and were corrected.`,
  );
}
