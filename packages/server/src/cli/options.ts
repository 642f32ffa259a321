import { MODES } from '@decision-ledger/contract/permissions';
import { type Command, Option } from 'commander';

export const json = () => new Option('--json', 'print JSON');

export const org = () =>
  new Option(
    '--org <name-or-id>',
    'the organisation; needed once there are two, unless a key says it',
  );

export const keyFile = () =>
  new Option(
    '--key-file <file>',
    'file with an API key, which says organisation and ledger, as LEDGER_KEY does; - is standard input',
  );

/** Adds what says which ledger a command works on. */
export function addLedgerOptions(command: Command): Command {
  const mode = new Option('--mode <mode>', 'which ledger; required unless a key says it');
  return command.addOption(mode.choices(MODES)).addOption(org()).addOption(keyFile());
}

/** The action of a command whose code is loaded when it runs. */
export function lazily<Args extends readonly unknown[]>(
  load: () => Promise<(...args: Args) => Promise<void>>,
): (...args: Args) => Promise<void> {
  return async (...args) => (await load())(...args);
}
