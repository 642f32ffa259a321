import { BUSINESS } from '@decision-ledger/demo/settings';
import { YEAR_MS } from '@decision-ledger/demo/year';
import { readConfig } from '../../config.js';
import { selectLedgers } from '../../domains/access/organisations/index.js';
import type { Patience } from '../../platform/connection.js';
import { toScope } from '../../platform/principal.js';
import { openService } from '../../service.js';
import { prepareFirstStart } from '../first-start.js';
import { movingTime } from './moving-time.js';
import { type DemoYear, prepareYear } from './prepare-year.js';

/** Nobody waits for an answer, and on a busy machine a transaction of the nightly work takes long. */
const PATIENCE: Patience = {
  ...{ connectMs: 300_000, awayMs: 0, noticeMs: 300_000 },
  onWait: () => undefined,
};

/** Makes a data folder with a year of business in its test ledger. */
export async function makeDemo(dataDir: string, year: DemoYear): Promise<void> {
  const time = movingTime(year.end - YEAR_MS);
  const fail = (error: Error) => {
    throw error;
  };
  const service = await openService(readConfig({ LEDGER_DATA_DIR: dataDir }), {
    ...{ share: false, clock: time, databaseTime: time.shared, patience: PATIENCE },
    ...{ onConnectionError: fail, onEngineFailure: fail },
  });
  try {
    await prepareFirstStart(service, dataDir, BUSINESS);
    const ledgers = await selectLedgers(service.installation);
    const ledger = ledgers.find(({ mode }) => mode === 'test');
    if (ledger === undefined) throw new Error('the demo has no test ledger');
    await prepareYear(service.db.ledger(toScope(ledger)), service, time, year);
  } finally {
    await service.close();
  }
}
