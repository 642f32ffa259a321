import { LedgerError } from '@decision-ledger/contract/errors';
import { GateError } from '@decision-ledger/proof/gate';

/** A command that ends with a message instead of a stack: the caller's affair, not a fault here. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Tells of trouble that does not end the command by itself. */
export function complain(error: Error): void {
  process.stderr.write(`decision-ledger: ${error.message}\n`);
}

/** What an error says to the person at the terminal. */
export function explain(error: unknown): string {
  if (error instanceof LedgerError) {
    const fields = Object.entries(error.details?.fields ?? {});
    const list = fields.map(([path, problems]) => `\n  ${path}: ${problems.join('; ')}`);
    return error.message + list.join('');
  }
  if (error instanceof GateError && error.path !== '') return `${error.path}: ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  return EXPECTED.has(error.name) ? error.message : (error.stack ?? error.message);
}

/** Errors whose message says what to do; any other is a fault here and shows where it arose. */
const EXPECTED = new Set([
  'CommandError',
  'ConfigError',
  'ConnectionError',
  'EngineError',
  'GateError',
  'MasterKeyError',
  'MigrationError',
]);
