import { runNow } from '../domains/judgement/liability/index.js';
import { type LedgerOptions, withLedger } from './ledger.js';
import { print, printJson } from './output.js';
import { progressBar } from './progress.js';

interface RecalculateOptions extends LedgerOptions {
  readonly json?: boolean;
}

export async function recalculateLiability(options: RecalculateOptions): Promise<void> {
  const { decisions, changed } = await withLedger(options, async (ledger, service) => {
    const bar = progressBar('estimates');
    try {
      return await runNow(ledger, service, (progress) =>
        bar.update(progress.decisions, progress.of),
      );
    } finally {
      bar.stop();
    }
  });
  if (options.json === true) return printJson({ decisions, changed });
  print(`Decisions re-estimated: ${decisions}. Exposures changed: ${changed}.`);
}
