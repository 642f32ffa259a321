import { MODES } from '@decision-ledger/contract/permissions';
import { type Command, InvalidArgumentError, Option } from 'commander';

export const jsonOption = () => new Option('--json', 'print JSON');

export const orgOption = () =>
  new Option(
    '--org <name-or-id>',
    'the organisation; required if there are several and no key is given',
  );

export const keyFile = () =>
  new Option(
    '--key-file <file>',
    'file with an API key, which selects organisation and ledger like LEDGER_KEY; - is standard input',
  );

/** Adds the options that select a ledger. */
export function addLedgerOptions(command: Command): Command {
  const mode = new Option('--mode <mode>', 'the ledger; required without a key');
  return command.addOption(mode.choices(MODES)).addOption(orgOption()).addOption(keyFile());
}

/** A command action that loads its code on first use. */
export function lazily<Args extends readonly unknown[]>(
  load: () => Promise<(...args: Args) => Promise<void>>,
): (...args: Args) => Promise<void> {
  return async (...args) => (await load())(...args);
}

/** The value of an option that is a port. */
export function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError('A port must be a whole number from 0 to 65535.');
  }
  return port;
}
