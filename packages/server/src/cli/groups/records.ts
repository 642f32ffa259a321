import { MODES } from '@decision-ledger/contract/permissions';
import type { ExportType, RangeBasis } from '@decision-ledger/proof/bundle/format';
import { type Command, Option } from 'commander';
import { addLedgerOptions, jsonOption, lazily } from '../options.js';

const EXPORT_TYPES = Object.keys({
  forensic: true,
  compliance: true,
  insurance: true,
  statement: true,
} satisfies Record<ExportType, true>);

const RANGE_BASES = Object.keys({
  recorded: true,
  decided: true,
} satisfies Record<RangeBasis, true>);

/** Importing, verifying, exporting and linking records. */
export function addRecordCommands(program: Command): void {
  addLedgerOptions(
    program
      .command('import')
      .argument(
        '<file>',
        'NDJSON: each line is the body of a decision or a financial event, or {"ref", "body"}; - is standard input',
      )
      .description('record the decisions and financial events of a file; run it again to resume'),
  )
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../import.js')).importFile));
  program
    .command('verify')
    .description('verify every record of the chains; exit code 1 if one is broken')
    .option('--org <name-or-id>', 'only the ledgers of this organisation')
    .addOption(new Option('--mode <mode>', 'only this ledger').choices(MODES))
    .option('--expect-seq <n>', 'seq of a decision, from its receipt')
    .option('--expect-hash <hex>', 'hash of that decision')
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../verify.js')).verify));
  addExport(program);
  addLinks(program);
}

function addExport(program: Command): void {
  addLedgerOptions(
    program
      .command('export')
      .description('create signed evidence of a time range, wait for it and save it'),
  )
    .addOption(
      new Option('--type <type>', 'kind of bundle; required without --id').choices(EXPORT_TYPES),
    )
    .option(
      '--agent <agent-id>',
      'the agent of a statement; of a forensic export, show only its decisions',
    )
    .option('--action-type <type>', 'show only decisions of this action type (forensic)')
    .option(
      '--metadata <key=value...>',
      'show only decisions with these members of the metadata (forensic)',
    )
    .addOption(
      new Option(
        '--human-in-loop <bool>',
        'show only decisions with, or without, a person (forensic)',
      ).choices(['true', 'false']),
    )
    .option('--min-confidence <number>', 'show only decisions from this confidence on (forensic)')
    .option('--max-confidence <number>', 'show only decisions up to this confidence (forensic)')
    .addOption(
      new Option('--basis <basis>', 'what is proven: what was recorded, or decided').choices(
        RANGE_BASES,
      ),
    )
    .option('--start <date>', 'first day or RFC 3339 instant; required without --id')
    .option('--end <date>', 'last day, or first instant after the range; required without --id')
    .option('--id <export-id>', 'an export requested before')
    .option('--wait', 'wait until the export is complete')
    .option('--output <file>', 'save the export to this file; implies --wait')
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../export.js')).exportBundle));
}

function addLinks(program: Command): void {
  const group = program.command('links').description('links between decisions and money');
  addLedgerOptions(
    group.command('review').description('list suggested links, or review each one on a terminal'),
  )
    .option('--confirm <link-id...>', 'confirm these links')
    .option('--reject <link-id...>', 'reject these links')
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../links.js')).reviewLinks));
}
