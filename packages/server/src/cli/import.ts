import { DecisionBody } from '@decision-ledger/contract/decision';
import type { Mode } from '@decision-ledger/contract/permissions';
import { checker } from '@decision-ledger/contract/validation';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { type JsonValue, MAX_DEPTH, parseJson } from '@decision-ledger/proof/gate';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { appendDecisions, checkDecision } from '../domains/decisions/index.js';
import { markOf } from '../http/idempotency-key.js';
import type { Scope } from '../platform/scope.js';
import { deriveKey } from '../platform/secrets.js';
import type { Service } from '../service.js';
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
  /** Lines that an earlier, perhaps interrupted, import had recorded. */
  readonly already: number;
}

/** How many lines wait for the database at once. */
const WINDOW = 1000;
const MOST_PROBLEMS = 20;

const checkBody = checker(DecisionBody, 'body');

/** Imports a file of decisions: every line is checked before the first is recorded. */
export async function importFile(file: string, options: ImportOptions): Promise<void> {
  const report = await withLedgers(async (service) => {
    const total = await checkFile(file, service.clock.now());
    const { scope } = await chooseLedger(service.db, options);
    const bar = progressBar('importing');
    try {
      return await recordFile(service, scope, file, total, bar);
    } finally {
      bar.stop();
    }
  });
  if (options.json === true) return printJson(report);
  const { imported, already, total } = report;
  print(`${imported} decisions imported, ${already} were there already, ${total} in the file.`);
}

async function checkFile(file: string, now: number): Promise<number> {
  const problems: string[] = [];
  let total = 0;
  for await (const line of readLines(file)) {
    total += 1;
    try {
      checkDecision(readBody(line), now);
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

function readBody({ text }: Line): DecisionBody {
  const value = parseJson(text, MAX_DEPTH + 2);
  return checkBody(isReferenced(value) ? value.body : value);
}

/** `{ref, body}`: the reference is the file's own affair. */
function isReferenced(value: JsonValue): value is { ref: JsonValue; body: JsonValue } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const names = Object.keys(value).sort().join();
  return names === 'body,ref' || names === 'body';
}

async function recordFile(
  service: Service,
  scope: Scope,
  file: string,
  total: number,
  bar: ProgressBar,
): Promise<ImportReport> {
  const idempotencyKey = deriveKey(service.masterKey, 'idempotency');
  const repeats = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  let [imported, already] = [0, 0];
  let failure: unknown = null;
  for await (const line of readLines(file)) {
    if (failure !== null) break;
    const body = readBody(line);
    const mark = markOf(idempotencyKey, lineKey(body, repeats), 'import', body);
    const recorded = appendDecisions(service, scope, [body], () => '', mark)
      .then(({ replayed }) => {
        if (replayed) already += 1;
        else imported += 1;
        bar.update(imported + already, total);
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
  return { total, imported, already };
}

/** The same line of the same file has the same key at every run; equal lines are told apart. */
function lineKey(body: DecisionBody, repeats: Map<string, number>): string {
  const digest = sha256Hex(canonicalJson(body));
  const repeat = (repeats.get(digest) ?? 0) + 1;
  repeats.set(digest, repeat);
  return `import ${digest} ${repeat}`;
}
