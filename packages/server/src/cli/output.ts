import { LedgerError } from '@decision-ledger/contract/errors';
import { GateError } from '@decision-ledger/proof/gate';

/** A user error, shown as a message without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Prints an error that does not end the command. */
export function printError(error: Error): void {
  process.stderr.write(`decision-ledger: ${error.message}\n`);
}

/** The message of an error, for the terminal. */
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

/** Errors whose message includes the remedy. Other errors are defects and show their stack trace. */
const EXPECTED = new Set([
  'BackupError',
  'CommandError',
  'ConfigError',
  'ConnectionError',
  'EngineError',
  'FileStoreError',
  'GateError',
  'InstallationError',
  'MasterKeyError',
  'MigrationError',
  'RestoredLedgerError',
]);
