import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../config.js';
import { openService, type Service } from '../service.js';
import { CommandError, complain } from './output.js';

/** Runs a command against a ledger that is there, through a running server's engine if need be. */
export async function withLedgers<Result>(
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const { storage } = readConfig(process.env);
  if (storage.kind === 'embedded' && !existsSync(join(storage.dataDir, 'pg'))) {
    throw new CommandError(
      `there is no ledger in ${storage.dataDir}: start the service once, ` +
        'or name the folder with LEDGER_DATA_DIR, or the database with DATABASE_URL',
    );
  }
  return withService(work);
}

/** The same, making the database where there is none. */
export async function withService<Result>(
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const service = await openService(readConfig(process.env), {
    share: true,
    onConnectionError: complain,
    onEngineFailure: complain,
  });
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}
