import { type Command, InvalidArgumentError } from 'commander';
import { json, lazily, readPort } from '../options.js';

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
    .addOption(json())
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
    .option('--cases <n>', 'size of the year, as a number of cases', readCases, 19_000)
    .addOption(json())
    .action(lazily(async () => (await import('../demo.js')).demo));
  program
    .command('migrate')
    .description('bring the database schema up to date')
    .addOption(json())
    .action(lazily(async () => (await import('../migrate.js')).migrateDatabase));
  program
    .command('purge')
    .description('remove erased data from the database files; may take long')
    .addOption(json())
    .action(lazily(async () => (await import('../purge.js')).purgeDatabase));
  addMasterKey(program);
}

function addMasterKey(program: Command): void {
  const group = program.command('master-key').description('the key that encrypts secrets');
  group
    .command('rotate')
    .description(
      'encrypt everything with a new key; run it again to finish an interrupted rotation',
    )
    .addOption(json())
    .action(lazily(async () => (await import('../master-key.js')).rotateKey));
  group
    .command('reset')
    .description('replace a lost key; data encrypted with it stays unreadable')
    .option('--lost', 'confirm that the former key is permanently lost (required)')
    .addOption(json())
    .action(lazily(async () => (await import('../master-key.js')).resetKey));
}

function readCases(text: string): number {
  const cases = Number(text);
  if (!/^\d{1,5}$/.test(text) || cases < 100) {
    throw new InvalidArgumentError('A year has from 100 to 99999 cases.');
  }
  return cases;
}
