import { type Command, InvalidArgumentError } from 'commander';
import { json, lazily } from '../options.js';

/** Running the service, and keeping its database. */
export function addServiceCommands(program: Command): void {
  program
    .command('serve')
    .description('run the service')
    .option('--port <n>', 'port to listen on, instead of LEDGER_PORT; 0 takes a free one', readPort)
    .option('--host <address>', 'address to listen on, instead of LEDGER_HOST')
    .addOption(json())
    .action(lazily(async () => (await import('../serve.js')).serve));
  program
    .command('migrate')
    .description('bring the database schema up to date')
    .addOption(json())
    .action(lazily(async () => (await import('../migrate.js')).migrateDatabase));
  program
    .command('purge')
    .description('remove what erasures leave in the files of the database; takes its time')
    .addOption(json())
    .action(lazily(async () => (await import('../purge.js')).purgeDatabase));
  addMasterKey(program);
}

function addMasterKey(program: Command): void {
  const group = program.command('master-key').description('the key that secrets are sealed under');
  group
    .command('rotate')
    .description('seal everything under a new key; run it again to finish an interrupted rotation')
    .addOption(json())
    .action(lazily(async () => (await import('../master-key.js')).rotateKey));
  group
    .command('reset')
    .description('use a new key in place of a lost one; what was sealed stays unreadable')
    .option('--lost', 'confirms that the former key is lost for good (required)')
    .addOption(json())
    .action(lazily(async () => (await import('../master-key.js')).resetKey));
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  }
  return port;
}
