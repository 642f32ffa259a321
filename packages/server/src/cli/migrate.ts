import { readConfig } from '../config.js';
import { openStorage } from '../storage.js';
import { PATIENCE } from './open.js';
import { print, printError, printJson } from './output.js';

export async function migrateDatabase(options: { json?: boolean }): Promise<void> {
  const storage = await openStorage(readConfig(process.env), {
    share: true,
    patience: PATIENCE,
    onConnectionError: printError,
    onEngineFailure: printError,
  });
  await storage.close();
  const version = storage.schemaVersion;
  if (options.json === true) printJson({ schema_version: version });
  else print(`The schema is at version ${version}.`);
}
