import { Command, Help } from 'commander';
import { VERSION } from '../version.js';
import { addBundleCommands, addWatchCommands } from './groups/checks.js';
import { addMcpCommands } from './groups/mcp.js';
import { addOrganisationCommands } from './groups/organisations.js';
import { addRecordCommands } from './groups/records.js';
import { addServiceCommands } from './groups/service.js';
import { addWorkCommands } from './groups/work.js';

/** The command groups, in the order of the help. Each declares commands whose code is loaded when they run. */
const GROUPS: readonly ((program: Command) => void)[] = [
  addServiceCommands,
  addOrganisationCommands,
  addRecordCommands,
  addBundleCommands,
  addMcpCommands,
  addWatchCommands,
  addWorkCommands,
];

/** @param exit called with the exit code if the arguments, not a command, end the process */
export function createProgram(exit: (code: number) => never): Command {
  const program = new Command('decision-ledger')
    .exitOverride((end) => exit(end.exitCode))
    .description('Records what AI agents decide in a tamper-evident ledger.')
    .version(VERSION)
    // An option after the name of a command belongs to that command alone.
    .enablePositionalOptions()
    .configureHelp({ optionDescription })
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'decision-ledger: ')),
    })
    .showSuggestionAfterError()
    .showHelpAfterError('(--help lists the commands and their options)');
  for (const addCommands of GROUPS) addCommands(program);
  return program;
}

const help = new Help();

function optionDescription(option: Parameters<Help['optionDescription']>[0]): string {
  const description = help.optionDescription(option);
  return option.mandatory ? `${description} (required)` : description;
}
