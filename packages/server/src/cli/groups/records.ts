import { MODES } from '@decision-ledger/contract/permissions';
import type { ExportType } from '@decision-ledger/proof/bundle/format';
import { type Command, Option } from 'commander';
import { addLedgerOptions, json, lazily } from '../options.js';

const EXPORT_TYPES = Object.keys({
  forensic: true,
  compliance: true,
  insurance: true,
} satisfies Record<ExportType, true>);

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
  addExport(program);
  addLinks(program);
}

function addExport(program: Command): void {
  addLedgerOptions(
    program
      .command('export')
      .description('have signed evidence of a range of time made, wait for it and save it'),
  )
    .addOption(
      new Option('--type <type>', 'what kind of bundle; required unless --id is given').choices(
        EXPORT_TYPES,
      ),
    )
    .option('--start <date>', 'first day or RFC 3339 instant; required unless --id is given')
    .option('--end <date>', 'last day, or instant after the range; required unless --id is given')
    .option('--id <export-id>', 'an export that was asked for before')
    .option('--wait', 'wait until it is made')
    .option('--output <file>', 'save it there when it is made; implies --wait')
    .addOption(json())
    .action(lazily(async () => (await import('../export.js')).exportBundle));
}

function addLinks(program: Command): void {
  const group = program.command('links').description('links between decisions and money');
  addLedgerOptions(
    group
      .command('review')
      .description('list suggested links, or ask for each on a terminal; confirm or reject them'),
  )
    .option('--confirm <link-id...>', 'these decisions moved this money')
    .option('--reject <link-id...>', 'these did not')
    .addOption(json())
    .action(lazily(async () => (await import('../links.js')).reviewLinks));
}
