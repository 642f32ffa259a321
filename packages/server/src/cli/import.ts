import type { Mode } from '@decision-ledger/contract/permissions';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { type JsonValue, MAX_DEPTH, parseJson } from '@decision-ledger/proof/gate';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { markOf } from '../http/idempotency-key.js';
import type { Principal } from '../platform/principal.js';
import type { Service } from '../service.js';
import { type ImportRecord, type Recorder, readRecord, recorder } from './import-record.js';
import { chooseLedger } from './ledger.js';
import { type Line, readLines } from './lines.js';
import { withLedgers } from './open.js';
import { CommandError, explain, print, printJson } from './output.js';
import { type ProgressBar, progressBar } from './progress.js';

export interface ImportOptions {
  readonly org?: string;
  readonly mode: Mode;
  readonly json?: boolean;
}

interface ImportReport {
  readonly total: number;
  readonly imported: number;
  readonly decisions: number;
  readonly financial_events: number;
  /** Lines that an earlier, perhaps interrupted, import had recorded. */
  readonly already: number;
}

/** How many lines wait for the database at once. */
const WINDOW = 1000;
const MOST_PROBLEMS = 20;

/** Imports a file of decisions and financial events: every line is checked before one is recorded. */
export async function importFile(file: string, options: ImportOptions): Promise<void> {
  const report = await withLedgers(
    async (service) => {
      const total = await checkFile(file, service.clock.now());
      const principal = await chooseLedger(service.db, options);
      const bar = progressBar('importing');
      try {
        return await recordFile(service, principal, file, total, bar);
      } finally {
        bar.stop();
      }
    },
    { needsKey: true },
  );
  if (options.json === true) return printJson(report);
  const { decisions, financial_events, already, total } = report;
  print(
    `${decisions} decisions and ${financial_events} financial events imported, ` +
      `${already} were there already, ${total} in the file.`,
  );
}

async function checkFile(file: string, now: number): Promise<number> {
  const problems: string[] = [];
  let total = 0;
  for await (const line of readLines(file)) {
    total += 1;
    try {
      readLine(line, now);
    } catch (error) {
      problems.push(`line ${line.number}: ${explain(error)}`);
      if (problems.length === MOST_PROBLEMS) break;
    }
  }
  if (problems.length > 0) {
    throw new CommandError(`nothing was imported; mend the file first:\n${problems.join('\n')}`);
  }
  return total;
}

/** @throws LedgerError `validation_error`, GateError */
function readLine({ text }: Line, now: number): ImportRecord {
  const value = parseJson(text, MAX_DEPTH + 2);
  return readRecord(isReferenced(value) ? value.body : value, now);
}

/** `{ref, body}`: the reference is the file's own affair. */
function isReferenced(value: JsonValue): value is { ref: JsonValue; body: JsonValue } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const names = Object.keys(value).sort().join();
  return names === 'body,ref' || names === 'body';
}

async function recordFile(
  service: Service,
  principal: Principal,
  file: string,
  total: number,
  bar: ProgressBar,
): Promise<ImportReport> {
  const idempotencyKey = service.keyring.kept('idempotency');
  const record: Recorder = recorder(service, principal);
  const repeats = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  const count = { decision: 0, event: 0, already: 0 };
  let failure: unknown = null;
  for await (const line of readLines(file)) {
    if (failure !== null) break;
    const item = readLine(line, service.clock.now());
    const mark = markOf(idempotencyKey, lineKey(item, repeats), 'import', item.body);
    const recorded = record(item, mark)
      .then((replayed) => {
        count[replayed ? 'already' : item.kind] += 1;
        bar.update(count.decision + count.event + count.already, total);
      })
      .catch((error: unknown) => {
        failure ??= new CommandError(
          `line ${line.number}: ${explain(error)}\nrun the same import again to resume it`,
        );
      })
      .finally(() => underWay.delete(recorded));
    underWay.add(recorded);
    if (underWay.size >= WINDOW) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  if (failure !== null) throw failure;
  const { decision: decisions, event: financial_events, already } = count;
  return { total, imported: decisions + financial_events, decisions, financial_events, already };
}

/** The same line of the same file has the same key at every run; equal lines are told apart. */
function lineKey({ body }: ImportRecord, repeats: Map<string, number>): string {
  const digest = sha256Hex(canonicalJson(body));
  const repeat = (repeats.get(digest) ?? 0) + 1;
  repeats.set(digest, repeat);
  return `import ${digest} ${repeat}`;
}
