import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../config.js';
import { openService, type Service } from '../service.js';
import { CommandError, complain } from './output.js';

/** What a command asks of the service that it opens; nothing unless told. */
export interface Access {
  /** It works with secrets or with keyed hashes, so the master key must be the right one. */
  readonly needsKey?: boolean;
  /** It changes the master key, so it must have the data folder for itself. */
  readonly changesKey?: boolean;
}

/** Runs a command against a ledger that is there, through a running server's engine if need be. */
export async function withLedgers<Result>(
  work: (service: Service) => Promise<Result>,
  access: Access = {},
): Promise<Result> {
  const { storage } = readConfig(process.env);
  if (storage.kind === 'embedded' && !existsSync(join(storage.dataDir, 'pg'))) {
    throw new CommandError(
      `there is no ledger in ${storage.dataDir}: start the service once, ` +
        'or name the folder with LEDGER_DATA_DIR, or the database with DATABASE_URL',
    );
  }
  return withService(work, access);
}

/** The same, making the database where there is none. */
export async function withService<Result>(
  work: (service: Service) => Promise<Result>,
  { needsKey = false, changesKey = false }: Access = {},
): Promise<Result> {
  const service = await openService(readConfig(process.env), {
    share: !changesKey,
    ...{ needsKey, changesKey },
    onConnectionError: complain,
    onEngineFailure: complain,
  });
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}
