import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { databaseFolder } from '@decision-ledger/embedded/data-folder';
import { packDatabase } from '@decision-ledger/embedded/prepared';
import { readConfig } from './config.js';
import { preparedDatabase } from './prepared-database.js';
import { openService } from './service.js';

/*
 * Run by the build: makes the database that first starts copy, in the folder given first, and packs it
 * into the file given second.
 */
const [dataDir = '', file = ''] = process.argv.slice(2);

// The key is kept nowhere: nothing in the database is sealed under it.
const masterKey = randomBytes(32).toString('base64');
const config = readConfig({ LEDGER_DATA_DIR: dataDir, LEDGER_MASTER_KEY: masterKey });
const service = await openService(config, {
  share: false,
  // The database of a first start takes the master key of its own service.
  needsKey: false,
  // Whoever uses the connection is told as well; one that only waits may break when the engine stops.
  onConnectionError: () => undefined,
  onEngineFailure: (error) => {
    throw error;
  },
});
await service.close();
const { madeOf } = await preparedDatabase();
writeFileSync(file, await packDatabase(databaseFolder(dataDir), madeOf));
