import { requestExport } from '../../domains/evidence/exports/index.js';
import { exportMakerOf } from '../../export-thread/make-in-thread.js';
import { uuidToId } from '../../platform/ids.js';
import type { Principal } from '../../platform/principal.js';
import type { Preparation } from './record-acts.js';

const DAY = 24 * 3_600_000;
/** The export covers this much of the year, up to its end. */
const DAYS = 30;

/** Makes one export, as the evidence page offers it. */
export async function exportMonth(
  { service, time }: Preparation,
  requester: Principal,
): Promise<void> {
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const body = {
    export_type: 'forensic',
    start_date: dayOf(time.now() - DAYS * DAY),
    end_date: dayOf(time.now() - DAY),
  } as const;
  const { export_id } = await service.db
    .ledger(requester.scope)
    .write((tx) => requestExport(tx, service, requester, body, () => undefined));
  const failures: unknown[] = [];
  const make = exportMakerOf(service, {
    onFailure: (error) => void failures.push(error),
    onRestart: () => undefined,
  });
  await make(requester.scope, uuidToId('exp', export_id), new AbortController().signal);
  if (failures.length > 0) throw failures[0];
}
