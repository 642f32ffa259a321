import { setTimeout as sleep } from 'node:timers/promises';
import { readExport } from '../domains/evidence/exports/index.js';
import { exportMakerOf } from '../export-thread/make-in-thread.js';
import type { Ledger } from '../platform/ledger.js';
import type { Service } from '../service.js';
import { CommandError } from './output.js';
import { progressBar } from './progress.js';

type ExportRow = Awaited<ReturnType<typeof readExport>>;

const POLL_MS = 250;
/** How long an export may make no progress before no worker is assumed to process it, in ms. */
const IDLE_LIMIT_MS = { pending: 5_000, running: 30_000 } as const;
const RETRY_MS = 5_000;

/**
 * Waits until an export is complete. If no service processes it, this process does; if both do, the
 * first to finish wins.
 * @param id public identifier
 * @param isVerbose whether to print on standard error how to resume after an interruption
 * @returns the complete export
 * @throws CommandError if the export failed, LedgerError `not_found`
 */
export async function waitForExport(
  ledger: Ledger,
  service: Service,
  id: string,
  isVerbose: boolean,
): Promise<ExportRow> {
  if (isVerbose) {
    process.stderr.write(`Waiting for ${id}. After an interruption, resume with --id ${id}.\n`);
  }
  const bar = progressBar('export');
  const stop = new AbortController();
  const make = exportMakerOf(service, { onFailure: () => undefined, onRestart: () => undefined });
  let making: Promise<void> | null = null;
  let state = '';
  let since = 0;
  try {
    for (;;) {
      const row = await readExport(ledger, id);
      const { status, written, total } = row;
      bar.update(written, total);
      if (status !== 'pending' && status !== 'running') return requireComplete(row);
      if (state !== `${status} ${written}`) {
        state = `${status} ${written}`;
        since = service.stopwatch();
      }
      const isLeft = service.stopwatch() - since >= IDLE_LIMIT_MS[status];
      if (making === null && (service.storage.ownsEngine || isLeft)) {
        making = make(ledger.scope, id, stop.signal)
          .catch(() => sleep(RETRY_MS, undefined, { signal: stop.signal }).catch(() => undefined))
          .finally(() => {
            making = null;
          });
      }
      await sleep(POLL_MS);
    }
  } finally {
    stop.abort();
    bar.stop();
    await making;
  }
}

function requireComplete(row: ExportRow): ExportRow {
  if (row.status === 'complete') return row;
  throw new CommandError(`the export is ${row.status}: ${row.reason ?? 'request it again'}`);
}
