import { MODES } from '@decision-ledger/contract/permissions';
import { type Command, Option } from 'commander';
import { addLedgerOptions, json, lazily } from '../options.js';

/** The records of a ledger: putting them in, checking them, handing them over. */
export function addRecordCommands(program: Command): void {
  addLedgerOptions(
    program
      .command('import')
      .argument(
        '<file>',
        'NDJSON: the body of a decision or a financial event a line, or {"ref", "body"}; - is standard input',
      )
      .description('record the decisions and financial events of a file; run it again to resume'),
  )
    .addOption(json())
    .action(lazily(async () => (await import('../import.js')).importFile));
  program
    .command('verify')
    .description('walk the chains and check every record; exit code 1 when one is broken')
    .option('--org <name-or-id>', 'only the ledgers of this organisation')
    .addOption(new Option('--mode <mode>', 'only this ledger').choices(MODES))
    .option('--expect-seq <n>', 'place of a decision known from a receipt')
    .option('--expect-hash <hex>', 'its hash')
    .addOption(json())
    .action(lazily(async () => (await import('../verify.js')).verify));
}
