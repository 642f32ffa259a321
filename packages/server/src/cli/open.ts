import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../config.js';
import { refuseLostDatabase } from '../installation/data-folder.js';
import type { Patience } from '../platform/connection.js';
import { openService, type Service } from '../service.js';
import { CommandError, printError } from './output.js';

/** A command has time: an engine on a slow machine may be busy for a while, and a server may be starting. */
export const PATIENCE: Patience = {
  connectMs: 300_000,
  awayMs: 30_000,
  noticeMs: 5000,
  onWait(waitedMs, reason = 'the database is busy') {
    process.stderr.write(`decision-ledger: ${reason}; waited ${waitedMs / 1000} s so far\n`);
  },
};

/** What a command requires of the service; nothing by default. */
export interface Access {
  /** It uses secrets or keyed hashes, so the master key must be correct. */
  readonly needsKey?: boolean;
  /** It changes the master key, so it needs exclusive access to the data folder. */
  readonly changesKey?: boolean;
  /** It replaces a lost master key. */
  readonly replacesKey?: boolean;
  /** It must not run beside a service on the same data folder. */
  readonly isAlone?: boolean;
  /** It looks into a restored ledger, so it runs although a loss is not accepted. */
  readonly opensUnaccepted?: boolean;
}

/** Runs a command on an existing ledger, through the engine of a running server if there is one. */
export async function withLedgers<Result>(
  work: (service: Service) => Promise<Result>,
  access: Access = {},
): Promise<Result> {
  const { storage } = readConfig(process.env);
  if (storage.kind === 'embedded' && !existsSync(join(storage.dataDir, 'pg'))) {
    await refuseLostDatabase(storage.dataDir);
    throw new CommandError(
      `there is no ledger in ${storage.dataDir}: start the service once, ` +
        'or set LEDGER_DATA_DIR to its folder or DATABASE_URL to its database',
    );
  }
  return withService(work, access);
}

/** Like `withLedgers`, but creates the database if there is none. */
export async function withService<Result>(
  work: (service: Service) => Promise<Result>,
  {
    needsKey = false,
    changesKey = false,
    replacesKey = false,
    isAlone = changesKey,
    opensUnaccepted = false,
  }: Access = {},
): Promise<Result> {
  const service = await openService(readConfig(process.env), {
    share: !isAlone,
    needsKey,
    changesKey,
    replacesKey,
    opensUnaccepted,
    patience: PATIENCE,
    onConnectionError: printError,
    onEngineFailure: printError,
  });
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}
