import { setTimeout as sleep } from 'node:timers/promises';
import type { Export, ExportBody, ExportFilter } from '@decision-ledger/contract/export';
import type { ExportType, RangeBasis } from '@decision-ledger/proof/bundle/format';
import {
  describeExport,
  openDownload,
  readExport,
  requestExport,
} from '../domains/evidence/exports/index.js';
import { exportMakerOf } from '../export-thread/make-in-thread.js';
import { uuidToId } from '../platform/ids.js';
import type { Ledger } from '../platform/ledger.js';
import type { Principal } from '../platform/principal.js';
import type { Service } from '../service.js';
import { type LedgerOptions, ledgerOf } from './ledger.js';
import { CommandError, type Output, openOutput, print, printJson, progressBar } from './output.js';

interface ExportOptions extends LedgerOptions {
  readonly type?: ExportType;
  /** Of a statement; of other types, part of the filter. */
  readonly agent?: string;
  readonly actionType?: string;
  /** Each as `key=value`. */
  readonly metadata?: readonly string[];
  readonly humanInLoop?: 'true' | 'false';
  readonly minConfidence?: string;
  readonly maxConfidence?: string;
  readonly basis?: RangeBasis;
  readonly start?: string;
  readonly end?: string;
  /** Public identifier of an earlier export. */
  readonly id?: string;
  readonly wait?: boolean;
  readonly output?: string;
  readonly json?: boolean;
}

type ExportRow = Awaited<ReturnType<typeof readExport>>;

/** Requests an export, waits for it and saves it, depending on the options. */
export async function exportBundle(options: ExportOptions): Promise<void> {
  const body = options.id === undefined ? readBody(options) : null;
  const onLedger = await ledgerOf(options, { needsKey: true });
  // Exports are limited, so an unwritable output is detected before one is requested.
  const output = options.output === undefined ? null : await openOutput(options.output);
  try {
    const row = await onLedger(async (ledger, service, operator) => {
      const id = options.id ?? (await request(ledger, service, operator, body));
      const isWanted = options.wait === true || output !== null;
      if (!isWanted) return readExport(ledger, id);
      const made = await waitForExport(ledger, service, id, options.json !== true);
      if (output !== null) await save(ledger, service, id, output);
      return made;
    });
    printExport(row, options);
  } finally {
    await output?.discard();
  }
}

function readBody(options: ExportOptions): ExportBody {
  const { type, agent, basis, start, end } = options;
  if (type === undefined || start === undefined || end === undefined) {
    throw new CommandError(
      'an export needs --type, --start and --end; for an export requested before, give its --id',
    );
  }
  const isOfAgent = type === 'statement';
  const filter = readFilter(isOfAgent ? { ...options, agent: undefined } : options);
  return {
    ...{ export_type: type, start_date: start, end_date: end },
    ...(isOfAgent && agent !== undefined && { agent_id: agent }),
    ...(filter !== null && { filter }),
    ...(basis !== undefined && { range_basis: basis }),
  };
}

type FilterOptions = Omit<ExportOptions, 'agent'> & { readonly agent?: string | undefined };

/** The filter of the options; null if they have none. */
function readFilter(options: FilterOptions): ExportFilter | null {
  const { agent, actionType, metadata, humanInLoop, minConfidence, maxConfidence } = options;
  const filter: ExportFilter = {
    ...(agent !== undefined && { agent_id: agent }),
    ...(actionType !== undefined && { action_type: actionType }),
    ...(humanInLoop !== undefined && { human_in_loop: humanInLoop === 'true' }),
    ...(minConfidence !== undefined && { min_confidence: confidence(minConfidence) }),
    ...(maxConfidence !== undefined && { max_confidence: confidence(maxConfidence) }),
    ...(metadata !== undefined && { metadata: Object.fromEntries(metadata.map(readMember)) }),
  };
  return Object.keys(filter).length === 0 ? null : filter;
}

function readMember(text: string): [key: string, value: string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new CommandError(`--metadata takes key=value, such as customer_id=C-17, not ${text}`);
}

function confidence(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new CommandError(`a confidence must be a number from 0 to 1, not ${text}`);
}

async function request(
  ledger: Ledger,
  service: Service,
  operator: Principal,
  body: ExportBody | null,
): Promise<string> {
  if (body === null) throw new CommandError('there is no export to request');
  const row = await ledger.write((tx) =>
    requestExport(tx, service, operator, body, () => undefined),
  );
  return uuidToId('exp', row.export_id);
}

async function save(ledger: Ledger, service: Service, id: string, output: Output): Promise<void> {
  const { stream, sha256 } = await openDownload(ledger, service, id, {
    actor: 'operator',
    through: 'credential',
  });
  if ((await output.write(stream)) !== sha256) {
    throw new CommandError('the saved file differs from the export: try again');
  }
  await output.keep();
}

function printExport(row: ExportRow, { output, json }: ExportOptions): void {
  const shown = describeExport(row, null);
  if (json === true) printJson({ ...shown, ...(output !== undefined && { output }) });
  else if (shown.status === 'complete') print(...describeComplete(shown, output));
  else {
    print(
      `${shown.export_id} is ${shown.status}. To wait for it and save it, give`,
      `--id ${shown.export_id} --output FILE instead of --type, --start and --end.`,
    );
  }
}

function describeComplete(
  { export_id, decisions, bytes, sha256, key_fingerprint, expires_at }: Export,
  output: string | undefined,
): string[] {
  return [
    `${export_id} is complete: ${decisions} decisions, ${bytes} bytes, SHA-256 ${sha256}.`,
    `It is signed by the key ${key_fingerprint}.`,
    output === undefined
      ? `Until ${expires_at} you can save it with --id ${export_id} --output FILE.`
      : `It was saved to ${output}.`,
  ];
}

const POLL_MS = 250;
/** How long an export may make no progress before no worker is assumed to process it, in ms. */
const IDLE_LIMIT_MS = { pending: 5_000, running: 30_000 } as const;
const RETRY_MS = 5_000;

/**
 * Waits until an export is complete. If no service processes it, this process does; if both do, the
 * first to finish wins.
 * @param id public identifier
 * @param isVerbose whether to print on standard error how to resume after an interruption
 * @returns the complete export
 * @throws CommandError if the export failed, LedgerError `not_found`
 */
async function waitForExport(
  ledger: Ledger,
  service: Service,
  id: string,
  isVerbose: boolean,
): Promise<ExportRow> {
  if (isVerbose) {
    process.stderr.write(`Waiting for ${id}. After an interruption, resume with --id ${id}.\n`);
  }
  const bar = progressBar('export');
  const stop = new AbortController();
  const make = exportMakerOf(service, { onFailure: () => undefined, onRestart: () => undefined });
  let making: Promise<void> | null = null;
  let state = '';
  let since = 0;
  try {
    for (;;) {
      const row = await readExport(ledger, id);
      const { status, written, total } = row;
      bar.update(written, total);
      if (status !== 'pending' && status !== 'running') return requireComplete(row);
      if (state !== `${status} ${written}`) {
        state = `${status} ${written}`;
        since = service.stopwatch();
      }
      const isLeft = service.stopwatch() - since >= IDLE_LIMIT_MS[status];
      if (making === null && (service.storage.ownsEngine || isLeft)) {
        making = make(ledger.scope, id, stop.signal)
          .catch(() => sleep(RETRY_MS, undefined, { signal: stop.signal }).catch(() => undefined))
          .finally(() => {
            making = null;
          });
      }
      await sleep(POLL_MS);
    }
  } finally {
    stop.abort();
    bar.stop();
    await making;
  }
}

function requireComplete(row: ExportRow): ExportRow {
  if (row.status === 'complete') return row;
  throw new CommandError(`the export is ${row.status}: ${row.reason ?? 'request it again'}`);
}
