import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { databaseFolder } from '@decision-ledger/embedded/data-folder';
import { packDatabase } from '@decision-ledger/embedded/prepared';
import { readConfig } from './config.js';
import { QUICK } from './platform/connection.js';
import { preparedDatabase } from './prepared-database.js';
import { openService } from './service.js';

/*
 * Run by the build: creates the database that first starts copy in the folder of the first argument, and
 * packs it into the file of the second one.
 */
const [dataDir = '', file = ''] = process.argv.slice(2);

// A temporary key: nothing in the database is sealed under it.
const masterKey = randomBytes(32).toString('base64');
const config = readConfig({ LEDGER_DATA_DIR: dataDir, LEDGER_MASTER_KEY: masterKey });
const service = await openService(config, {
  share: false,
  patience: { ...QUICK, connectMs: 0 },
  // A first start uses the master key of its own service.
  needsKey: false,
  // Statements report errors themselves; idle connections may break when the engine stops.
  onConnectionError: () => undefined,
  onEngineFailure: (error) => {
    throw error;
  },
});
await service.close();
const { madeOf } = await preparedDatabase();
writeFileSync(file, await packDatabase(databaseFolder(dataDir), madeOf));
