import { MODES } from '@decision-ledger/contract/permissions';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { jsonOption, lazily, readPort } from '../options.js';

/** Running the service and maintaining its database. */
export function addServiceCommands(program: Command): void {
  program
    .command('serve')
    .description('run the service')
    .option(
      '--port <n>',
      'port to listen on, instead of LEDGER_PORT; 0 selects a free port',
      readPort,
    )
    .option('--host <address>', 'address to listen on, instead of LEDGER_HOST')
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../serve.js')).serve));
  program
    .command('demo')
    .description(
      'run the service on a year of generated business, in a folder that is removed at the end',
    )
    .option('--data-dir <folder>', 'keep the data in this new or empty folder')
    .option(
      '--port <n>',
      'port to listen on, instead of LEDGER_PORT; 0 selects a free port',
      readPort,
    )
    .option('--host <address>', 'address to listen on, instead of LEDGER_HOST')
    .option('--prepare-only', 'only prepare the year, if it is not prepared yet')
    .option('--cases <n>', 'size of the year, as a number of cases', readCases, 2_000)
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../demo.js')).demo));
  program
    .command('migrate')
    .description('bring the database schema up to date')
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../database.js')).migrateDatabase));
  program
    .command('purge')
    .description('remove erased data from the database files; may take long')
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../database.js')).purgeDatabase));
  program
    .command('rebuild')
    .description(
      'rebuild derived rows from the records and replace those that differ; exit code 1 if a record is wrong',
    )
    .option('--only <name>', 'only this projection, and those that its rows are made of')
    .option('--org <name-or-id>', 'only the ledgers of this organisation')
    .addOption(new Option('--mode <mode>', 'only this ledger').choices(MODES))
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../rebuild.js')).rebuild));
  program
    .command('doctor')
    .description(
      'check the data and what they need: folder, pages, log, keys, clock, limits, server; exit code 1 if a check fails',
    )
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../doctor.js')).doctor));
  addBackup(program);
  program
    .command('certify')
    .description(
      'reissue a missing or damaged certificate of the data folder, if the database has everything that was signed',
    )
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../database.js')).certify));
  addMasterKey(program);
}

function addBackup(program: Command): void {
  program
    .command('backup')
    .argument('<file>', 'the new file; it gets this name when it is complete')
    .description(
      'copy the ledger of the embedded engine into one file, also while the service runs',
    )
    .option('--no-master-key', 'leave the master key of the data folder out')
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../backup.js')).backup));
  addExpected(
    program
      .command('restore')
      .argument('<file>', 'a backup')
      .description(
        'unpack a backup into a new data folder, and verify it; exit code 1 if it lacks records',
      )
      .requiredOption('--data <folder>', 'the new or empty data folder')
      .option('--signed <folder>', 'the folder "signed" of the old data folder'),
  ).action(lazily(async () => (await import('../restore.js')).restore));
  addExpected(
    program
      .command('restored')
      .description(
        'compare a restored ledger with a decision that existed; exit code 1 if it is missing',
      ),
  ).action(lazily(async () => (await import('../restored.js')).restored));
}

function addExpected(command: Command): Command {
  return command
    .option('--ledger <id>', 'the ledger; required if there are several')
    .option('--expect-seq <n>', 'seq of a decision that existed, from its receipt')
    .option('--expect-hash <hex>', 'hash of that decision')
    .option('--accept-loss <reason>', 'go on without what is missing; recorded in the activity')
    .option('--accept-fork', 'also sign checkpoints again, even if others may contradict them')
    .addOption(jsonOption());
}

function addMasterKey(program: Command): void {
  const group = program.command('master-key').description('the key that encrypts secrets');
  group
    .command('rotate')
    .description(
      'encrypt everything with a new key; run it again to finish an interrupted rotation',
    )
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../master-key.js')).changeMasterKey));
  group
    .command('reset')
    .description('replace a lost key; data encrypted with it stays unreadable')
    .option('--lost', 'confirm that the old key is permanently lost (required)')
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../master-key.js')).resetKey));
}

function readCases(text: string): number {
  const cases = Number(text);
  if (!/^\d{1,5}$/.test(text) || cases < 100) {
    throw new InvalidArgumentError('A year has from 100 to 99999 cases.');
  }
  return cases;
}
