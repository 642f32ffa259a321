import { readConfig } from '../config.js';
import { openStorage } from '../storage.js';
import { print, printJson } from './output.js';

export async function migrateDatabase(options: { json?: boolean }): Promise<void> {
  const storage = await openStorage(readConfig(process.env), {
    share: true,
    onFailure: (error) => {
      process.stderr.write(`the database failed: ${error.message}\n`);
    },
  });
  await storage.close();
  const version = storage.schemaVersion;
  if (options.json === true) printJson({ schema_version: version });
  else print(`The schema is at version ${version}.`);
}
