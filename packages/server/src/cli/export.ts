import type { Export, ExportBody } from '@decision-ledger/contract/export';
import type { ExportType, RangeBasis } from '@decision-ledger/proof/bundle/format';
import {
  describeExport,
  openDownload,
  readExport,
  requestExport,
} from '../domains/evidence/exports/index.js';
import { uuidToId } from '../platform/ids.js';
import type { Principal } from '../platform/principal.js';
import type { Service } from '../service.js';
import { waitForExport } from './export-wait.js';
import { type LedgerOptions, ledgerOf } from './ledger.js';
import { CommandError, print, printJson } from './output.js';
import { type Output, openOutput } from './output-file.js';

interface ExportOptions extends LedgerOptions {
  readonly type?: ExportType;
  /** Of a statement. */
  readonly agent?: string;
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
    const row = await onLedger(async (service, operator) => {
      const id = options.id ?? (await request(service, operator, body));
      const isWanted = options.wait === true || output !== null;
      if (!isWanted) return readExport(service.db, operator.scope, id);
      const made = await waitForExport(service, operator.scope, id, options.json !== true);
      if (output !== null) await save(service, operator, id, output);
      return made;
    });
    printExport(row, options);
  } finally {
    await output?.discard();
  }
}

function readBody({ type, agent, basis, start, end }: ExportOptions): ExportBody {
  if (type === undefined || start === undefined || end === undefined) {
    throw new CommandError(
      'an export needs --type, --start and --end; for an export requested before, give its --id',
    );
  }
  return {
    ...{ export_type: type, start_date: start, end_date: end },
    ...(agent !== undefined && { agent_id: agent }),
    ...(basis !== undefined && { range_basis: basis }),
  };
}

async function request(
  service: Service,
  operator: Principal,
  body: ExportBody | null,
): Promise<string> {
  if (body === null) throw new CommandError('there is no export to request');
  const row = await service.db.transaction((tx) =>
    requestExport(service, tx, operator, body, () => undefined),
  );
  return uuidToId('exp', row.export_id);
}

async function save(
  service: Service,
  { scope }: Principal,
  id: string,
  output: Output,
): Promise<void> {
  const { stream, sha256 } = await openDownload(service, scope, id, {
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
