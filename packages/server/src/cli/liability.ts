import { runNow } from '../domains/liability/index.js';
import { chooseLedger, type LedgerChoice } from './ledger.js';
import { withLedgers } from './open.js';
import { print, printJson } from './output.js';
import { progressBar } from './progress.js';

interface RecalculateOptions extends LedgerChoice {
  readonly json?: boolean;
}

export async function recalculateLiability(options: RecalculateOptions): Promise<void> {
  const { decisions, changed } = await withLedgers(async (service) => {
    const { scope } = await chooseLedger(service.db, options);
    const bar = progressBar('estimates');
    try {
      return await runNow(service, scope, (progress) =>
        bar.update(progress.decisions, progress.of),
      );
    } finally {
      bar.stop();
    }
  });
  if (options.json === true) return printJson({ decisions, changed });
  print(`Decisions estimated anew: ${decisions}. Exposures changed: ${changed}.`);
}
