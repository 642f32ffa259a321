import { MODES } from '@decision-ledger/contract/permissions';
import { Command, Option } from 'commander';
import { replayAttribution } from './cli/attribution.js';
import { importFile } from './cli/import.js';
import { printDeadJobs, retryJobs } from './cli/jobs.js';
import { createKey, printKeys, revokeKeyById } from './cli/key.js';
import { recalculateLiability } from './cli/liability.js';
import { resetKey, rotateKey } from './cli/master-key.js';
import { migrateDatabase } from './cli/migrate.js';
import { createOrg } from './cli/org.js';
import { explain } from './cli/output.js';
import { purgeDatabase } from './cli/purge.js';
import { printSigningKeys, rotateSigningKey } from './cli/signing-key.js';
import { verifyLedgers } from './cli/verify.js';
import { VERSION } from './version.js';

/** 1 says that a chain is broken, and nothing else. */
const USAGE_ERROR = 2;

const org = () => new Option('--org <name-or-id>', 'the organisation; needed once there are two');
const mode = () => new Option('--mode <mode>', 'which ledger').choices(MODES);
const json = () => new Option('--json', 'print JSON');

const program = new Command('decision-ledger')
  .exitOverride((end) => process.exit(end.exitCode === 0 ? 0 : USAGE_ERROR))
  .description('Records what AI agents decide in a tamper-evident ledger.')
  .version(VERSION)
  .showHelpAfterError();

program
  .command('serve')
  .description('run the service')
  // No other command waits for all that it loads.
  .action(async () => (await import('./cli/serve.js')).serve());

program
  .command('migrate')
  .description('bring the database schema up to date')
  .addOption(json())
  .action(migrateDatabase);

program
  .command('org')
  .description('organisations')
  .command('create')
  .argument('<name>')
  .description('make an organisation, with a live and a test key')
  .addOption(json())
  .action(createOrg);

const key = program.command('key').description('API keys');
key
  .command('create')
  .description('issue a key')
  .requiredOption('--name <name>', 'what it is for')
  .requiredOption('--permissions <list>', 'with commas, or `all`')
  .option('--expires <time>', 'RFC 3339')
  .addOption(org())
  .addOption(mode().default('live'))
  .addOption(json())
  .action(createKey);
key
  .command('list')
  .description('list keys; the keys themselves are kept nowhere')
  .addOption(org())
  .addOption(mode().default('live'))
  .addOption(json())
  .action(printKeys);
key
  .command('revoke')
  .argument('<key-id>')
  .description('revoke a key, within a second everywhere')
  .addOption(org())
  .addOption(mode().default('live'))
  .addOption(json())
  .action(revokeKeyById);

const signingKey = program.command('signing-key').description('keys that exports are signed with');
signingKey
  .command('show')
  .description('show their fingerprints, to be published apart from any export')
  .addOption(org())
  .addOption(json())
  .action(printSigningKeys);
signingKey
  .command('rotate')
  .description('sign with a new key from now on; exports of before stay verifiable')
  .addOption(org())
  .addOption(json())
  .action(rotateSigningKey);

const masterKey = program
  .command('master-key')
  .description('the key that secrets are sealed under');
masterKey
  .command('rotate')
  .description('seal everything under a new key; run it again to finish one that was interrupted')
  .addOption(json())
  .action(rotateKey);
masterKey
  .command('reset')
  .description('take a new key in place of one that is lost; what was sealed stays unreadable')
  .option('--lost', 'confirms that the former key is lost for good')
  .addOption(json())
  .action(resetKey);

const jobs = program.command('jobs').description('background work that was given up');
jobs
  .command('dead')
  .description('list it, newest first')
  .addOption(org())
  .addOption(mode().default('live'))
  .addOption(json())
  .action(printDeadJobs);
jobs
  .command('retry')
  .argument('<job-id>', 'or `all`')
  .description('have it tried again')
  .addOption(org())
  .addOption(mode().default('live'))
  .addOption(json())
  .action(retryJobs);

program
  .command('attribution')
  .description('what suggested links are made with')
  .command('replay')
  .description('work out again what reviews taught, and mend what differs')
  .addOption(org())
  .addOption(mode().default('live'))
  .addOption(json())
  .action(replayAttribution);

program
  .command('liability')
  .description('what decisions could cost')
  .command('recalculate')
  .description('estimate all decisions anew, now instead of at night')
  .addOption(org())
  .addOption(mode().default('live'))
  .addOption(json())
  .action(recalculateLiability);

program
  .command('purge')
  .description('remove what erasures leave in the files of the database; takes its time')
  .addOption(json())
  .action(purgeDatabase);

program
  .command('import')
  .argument(
    '<file>',
    'NDJSON: the body of a decision or a financial event a line, or {"ref", "body"}',
  )
  .description('record the decisions and financial events of a file; run it again to resume')
  .addOption(org())
  .addOption(mode().default('live'))
  .addOption(json())
  .action(importFile);

program
  .command('verify')
  .description('walk the chains and check every record; exit code 1 when one is broken')
  .option('--org <name-or-id>', 'only the ledgers of this organisation')
  .addOption(mode())
  .option('--expect-seq <n>', 'place of a decision known from a receipt')
  .option('--expect-hash <hex>', 'its hash')
  .addOption(json())
  .action(async (options) => {
    if (!(await verifyLedgers(options))) process.exitCode = 1;
  });

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`decision-ledger: ${explain(error)}\n`);
  process.exitCode = USAGE_ERROR;
}
