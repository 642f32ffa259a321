import { ownerClient } from '../platform/connection.js';
import { purge } from '../platform/purge.js';
import { withLedgers } from './open.js';
import { CommandError, print, printJson } from './output.js';
import { progressBar } from './progress.js';

export async function purgeDatabase(options: { json?: boolean }): Promise<void> {
  const done = await withLedgers(async ({ storage }) => {
    const bar = progressBar('purge');
    try {
      return await purge(ownerClient(storage.address), (step, of) => bar.update(step, of));
    } finally {
      bar.stop();
    }
  });
  const { tables, logFiles, left } = done ?? { tables: [], logFiles: 0, left: [] };
  if (left.length > 0) {
    throw new CommandError(`some data could not be purged:\n  ${left.join('\n  ')}`);
  }
  if (options.json === true) return printJson({ tables, log_files: logFiles });
  if (done === null) return print('There is nothing to purge, because nothing was erased.');
  print(`Tables rewritten: ${tables.length}. Log files overwritten: ${logFiles}.`);
}
