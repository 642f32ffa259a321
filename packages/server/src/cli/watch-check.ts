import { MAX_PRESENTATION } from '@decision-ledger/proof/presentation/format';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { type Checked, checkStatement } from '@decision-ledger/watch/check-statement';
import { ForkError, keepFork } from '@decision-ledger/watch/fork';
import { type LogSource, SourceError } from '@decision-ledger/watch/source';
import { type LogStatement, NoStatement, statementsIn } from '@decision-ledger/watch/statements';
import { systemClock } from '../platform/clock.js';
import { readInput } from './input.js';
import { CommandError, print, printJson } from './output.js';
import { openSource, type WatchOptions } from './watch.js';
import { isOfSystem, statementsInBundle } from './watch-bundle.js';

export interface WatchCheckOptions extends Pick<WatchOptions, 'folder' | 'keyFile' | 'timeout'> {
  readonly url?: string;
  readonly json?: boolean;
}

const REFUSED = 1;
const UNPROVEN = 3;
const FORK = 4;

/** Sets exit code 3 if something could not be compared, and 4 if the log contradicts itself. */
export async function watchCheck(file: string, options: WatchCheckOptions): Promise<void> {
  const statements = await read(file);
  const source = options.url === undefined ? NO_SOURCE : await openSource(options.url, options);
  const tools = { folder: options.folder, source, now: systemClock.now };
  try {
    for (const statement of statements) {
      const checked = await checkStatement(tools, statement);
      if (checked.result !== 'agrees') process.exitCode = UNPROVEN;
      show(checked, options);
    }
  } catch (error) {
    if (error instanceof TlogError) {
      process.exitCode = REFUSED;
      show(
        { kind: statements[0]?.kind ?? 'checkpoint', result: 'refused', message: error.message },
        options,
      );
      return;
    }
    if (!(error instanceof ForkError)) throw error;
    await keepFork(options.folder, error.fork);
    process.exitCode = FORK;
    show({ kind: 'checkpoint', result: 'fork', message: error.message }, options);
  }
}

async function read(file: string): Promise<LogStatement[]> {
  try {
    if (file.endsWith('.zip')) return await statementsInBundle(file);
    return statementsIn(await readInput(file, MAX_PRESENTATION));
  } catch (error) {
    if (error instanceof NoStatement) throw new CommandError(error.message);
    if (isOfSystem(error)) throw new CommandError(`the file ${file} cannot be read`);
    throw error;
  }
}

interface Shown extends Pick<Checked, 'kind' | 'message'> {
  readonly result: Checked['result'] | 'refused' | 'fork';
}

function show(checked: Shown, { json }: WatchCheckOptions): void {
  if (json === true) printJson(checked);
  else print(`${checked.kind}: ${checked.result}: ${checked.message}`);
}

/** Without an address, only trees of the same size can be compared. */
const NO_SOURCE: LogSource = {
  checkpoint: refuse,
  verifierKey: refuse,
  tiles: () => refuse,
};

function refuse(): Promise<never> {
  return Promise.reject(new SourceError('give --url to compare trees of different sizes'));
}
