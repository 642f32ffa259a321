import { setTimeout as sleep } from 'node:timers/promises';
import { readExport } from '../domains/evidence/exports/index.js';
import { exportMakerOf } from '../export-thread/make-in-thread.js';
import type { Scope } from '../platform/scope.js';
import type { Service } from '../service.js';
import { CommandError } from './output.js';
import { progressBar } from './progress.js';

type ExportRow = Awaited<ReturnType<typeof readExport>>;

const POLL_MS = 250;
/** How long nothing may happen until nobody is thought to work on an export. */
const PATIENCE_MS = { pending: 5_000, running: 30_000 } as const;
const RETRY_MS = 5_000;

/**
 * Waits until an export is made. Where no service makes it, this process does: should one do so
 * after all, the first to finish wins.
 * @param id public identifier
 * @param isTold whether to say on standard error how to go on after an interruption
 * @returns the export, complete
 * @throws CommandError where it failed, LedgerError `not_found`
 */
export async function untilMade(
  service: Service,
  scope: Scope,
  id: string,
  isTold: boolean,
): Promise<ExportRow> {
  if (isTold) {
    process.stderr.write(`Waiting for ${id}. After an interruption, go on with --id ${id}.\n`);
  }
  const bar = progressBar('export');
  const stop = new AbortController();
  const make = exportMakerOf(service, { onFailure: () => undefined, onRestart: () => undefined });
  let making: Promise<void> | null = null;
  let state = '';
  let since = 0;
  try {
    for (;;) {
      const row = await readExport(service.db, scope, id);
      const { status, written, total } = row;
      bar.update(written, total);
      if (status !== 'pending' && status !== 'running') return requireMade(row);
      if (state !== `${status} ${written}`) {
        state = `${status} ${written}`;
        since = service.stopwatch();
      }
      const isLeft = service.stopwatch() - since >= PATIENCE_MS[status];
      if (making === null && (service.storage.ownsEngine || isLeft)) {
        making = make(scope, id, stop.signal)
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

function requireMade(row: ExportRow): ExportRow {
  if (row.status === 'complete') return row;
  throw new CommandError(`the export is ${row.status}: ${row.reason ?? 'ask for it anew'}`);
}
