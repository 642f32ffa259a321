import { access, open, rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { LedgerError } from '@decision-ledger/contract/errors';
import { EngineError } from '@decision-ledger/embedded/engine-error';
import { GateError } from '@decision-ledger/proof/gate';
import { sha256Stream } from '@decision-ledger/proof/hash';
import { SingleBar } from 'cli-progress';
import { damageIn } from '../platform/failures.js';

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

/** Exit codes of every command; 1 is a finding of those that check something. */
const ERROR = 2;
const DAMAGED = 5;

/** The exit code of a command that ended with an error. */
export function exitCodeOf(error: unknown): number {
  const isDamaged = error instanceof EngineError && error.code === 'damaged';
  return isDamaged || damageIn(error) !== null ? DAMAGED : ERROR;
}

/** The message of an error, for the terminal. */
export function explain(error: unknown): string {
  const place = damageIn(error);
  if (place !== null && !(error instanceof Error && EXPECTED.has(error.name))) {
    return `the database is damaged: ${place}: \`decision-ledger doctor\` lists all that is damaged`;
  }
  if (error instanceof LedgerError) {
    const fields = Object.entries(error.details?.fields ?? {});
    const list = fields.map(([path, problems]) => `\n  ${path}: ${problems.join('; ')}`);
    return error.message + list.join('');
  }
  if (error instanceof GateError && error.path !== '') return `${error.path}: ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  if (/^(EMFILE|ENFILE)/.test(error.message)) return TOO_MANY_FILES;
  return EXPECTED.has(error.name) ? error.message : (error.stack ?? error.message);
}

const TOO_MANY_FILES =
  'the limit on open files is reached: raise it to 1024 or more (ulimit -n 1024, or LimitNOFILE= in a unit of systemd)';

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

export interface ProgressBar {
  update(done: number, total: number): void;
  stop(): void;
}

/** A progress bar on standard error; nothing if it is not a terminal. */
export function progressBar(label: string): ProgressBar {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  const bar = new SingleBar({
    format: `${label} {bar} {percentage}% {value}/{total} {duration_formatted}`,
    stream: process.stderr,
    hideCursor: true,
  });
  bar.start(1, 0);
  return {
    update(done, total) {
      bar.setTotal(Math.max(total, 1));
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}

/** An output file that appears only when it is complete. */
export interface Output {
  /** @returns SHA-256 of the written bytes, hexadecimal */
  write(stream: Readable): Promise<string>;
  /** Renames the complete file to its final name. */
  keep(): Promise<void>;
  /** Removes the file unless it was kept. */
  discard(): Promise<void>;
}

/**
 * @param path of a new file
 * @throws CommandError if it exists or cannot be written
 */
export async function openOutput(path: string): Promise<Output> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new CommandError(`the file ${path} already exists: choose another name`);
  const draft = `${path}.part`;
  const file = await open(draft, 'w', 0o600).catch((error: unknown) => {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    throw new CommandError(`${path} cannot be written (${reason})`);
  });
  return {
    async write(stream) {
      const digest = sha256Stream();
      for await (const chunk of stream) {
        digest.update(chunk);
        await file.writeFile(chunk);
      }
      await file.sync();
      return digest.hex();
    },
    keep: () => rename(draft, path),
    async discard() {
      await file.close();
      await rm(draft, { force: true });
    },
  };
}
