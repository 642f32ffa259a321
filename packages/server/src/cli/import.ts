import { canonicalJson } from '@decision-ledger/proof/canonical';
import { type JsonValue, MAX_DEPTH, parseJson } from '@decision-ledger/proof/gate';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { markOf } from '../http/request-headers.js';
import type { Ledger } from '../platform/ledger.js';
import type { Principal } from '../platform/principal.js';
import type { Service } from '../service.js';
import {
  type ImportRecord,
  type ImportRecorder,
  importRecorder,
  readRecord,
} from './import-record.js';
import { type Input, type Line, openInput, readLines } from './input.js';
import { type LedgerOptions, ledgerOf, type OnLedger } from './ledger.js';
import {
  CommandError,
  explain,
  type ProgressBar,
  print,
  printJson,
  progressBar,
} from './output.js';

interface ImportOptions extends LedgerOptions {
  readonly json?: boolean;
}

interface ImportReport {
  readonly total: number;
  readonly imported: number;
  readonly decisions: number;
  readonly financial_events: number;
  /** Lines recorded by an earlier, possibly interrupted, import. */
  readonly already: number;
}

/** Maximum number of lines waiting for the database. */
const WINDOW = 1000;
const MAX_PROBLEMS = 20;

/** Imports a file of decisions and financial events. All lines are checked before any is recorded. */
export async function importFile(file: string, options: ImportOptions): Promise<void> {
  const onLedger = await ledgerOf(options, { needsKey: true });
  // A pipe may take long, so the database is opened after it has ended.
  const input = await openInput(file);
  const report = await importInput(onLedger, input).finally(() => input.close());
  if (options.json === true) return printJson(report);
  const { decisions, financial_events, already, total } = report;
  print(
    `${decisions} decisions and ${financial_events} financial events imported, ` +
      `${already} were recorded before, ${total} in the file.`,
  );
}

function importInput(onLedger: OnLedger, input: Input): Promise<ImportReport> {
  return onLedger(async (ledger, service, operator) => {
    const total = await checkLines(input, service.clock.now());
    const bar = progressBar('importing');
    try {
      return await recordLines(ledger, service, operator, input, total, bar);
    } finally {
      bar.stop();
    }
  });
}

async function checkLines(input: Input, now: number): Promise<number> {
  const problems: string[] = [];
  let total = 0;
  for await (const line of readLines(input)) {
    total += 1;
    try {
      readLine(line, now);
    } catch (error) {
      problems.push(`line ${line.number}: ${explain(error)}`);
      if (problems.length === MAX_PROBLEMS) break;
    }
  }
  if (problems.length > 0) {
    throw new CommandError(`nothing was imported; correct the file first:\n${problems.join('\n')}`);
  }
  if (total === 0) {
    throw new CommandError(`nothing was imported: ${input.name} has no lines`);
  }
  return total;
}

/** @throws LedgerError `validation_error`, GateError */
function readLine({ text }: Line, now: number): ImportRecord {
  const value = parseJson(text, MAX_DEPTH + 2);
  return readRecord(isReferenced(value) ? value.body : value, now);
}

/** Whether a line is `{ref, body}`. The reference is for the caller's use and is not stored. */
function isReferenced(value: JsonValue): value is { ref: JsonValue; body: JsonValue } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const names = Object.keys(value).sort().join();
  return names === 'body,ref' || names === 'body';
}

async function recordLines(
  ledger: Ledger,
  service: Service,
  principal: Principal,
  input: Input,
  total: number,
  bar: ProgressBar,
): Promise<ImportReport> {
  const idempotencyKey = service.keyring.kept('idempotency');
  const record: ImportRecorder = importRecorder(ledger, service, principal);
  const repeats = new Map<string, number>();
  const pending = new Set<Promise<void>>();
  const count = { decision: 0, event: 0, already: 0 };
  let failure: unknown = null;
  let read = 0;
  for await (const line of readLines(input)) {
    read += 1;
    // Lines appended after the check are left to the next import.
    if (failure !== null || read > total) break;
    const item = readLine(line, ledger.clock.now());
    const mark = markOf(idempotencyKey, lineKey(item, repeats), 'import', canonicalJson(item.body));
    const recorded = record(item, mark)
      .then((replayed) => {
        count[replayed ? 'already' : item.kind] += 1;
        bar.update(count.decision + count.event + count.already, total);
      })
      .catch((error: unknown) => {
        failure ??= new CommandError(
          `line ${line.number}: ${explain(error)}\nrun the same import again to resume`,
        );
      })
      .finally(() => pending.delete(recorded));
    pending.add(recorded);
    if (pending.size >= WINDOW) await Promise.race(pending);
  }
  await Promise.all(pending);
  if (failure !== null) throw failure;
  const { decision: decisions, event: financial_events, already } = count;
  return { total, imported: decisions + financial_events, decisions, financial_events, already };
}

/** The idempotency key of a line, stable across runs; repeated lines are numbered. */
function lineKey({ body }: ImportRecord, repeats: Map<string, number>): string {
  const digest = sha256Hex(canonicalJson(body));
  const repeat = (repeats.get(digest) ?? 0) + 1;
  repeats.set(digest, repeat);
  return `import ${digest} ${repeat}`;
}
