import type { Reconciliation } from '@decision-ledger/contract/chain';
import type { Mode } from '@decision-ledger/contract/permissions';
import { type LedgerRow, selectLedgers } from '../domains/access/organisations/index.js';
import { findingText, reconcileWithHistory } from '../domains/evidence/reconciliation/index.js';
import { verifyActivity } from '../domains/log/activity/index.js';
import { verifyDecisions } from '../domains/record/decisions/index.js';
import type { ChainName } from '../platform/chain/head.js';
import {
  describeBrokenLink,
  type Verification,
  type VerifyRequest,
} from '../platform/chain/verify.js';
import { uuidToId } from '../platform/ids.js';
import type { Ledger } from '../platform/ledger.js';
import type { Service } from '../service.js';
import { isNamed } from './ledger.js';
import { withLedgers } from './open.js';
import { CommandError, print, printJson, progressBar } from './output.js';

/** A restored ledger is verified before a loss is accepted. */
const LOOKS = { opensUnaccepted: true };

export interface VerifyOptions {
  readonly org?: string;
  readonly mode?: Mode;
  readonly expectSeq?: string;
  readonly expectHash?: string;
  readonly json?: boolean;
}

/** Sets exit code 1 if a chain is broken, or a table differs from it. */
export async function verify(options: VerifyOptions): Promise<void> {
  const anchor = readAnchor(options);
  const reports = await withLedgers(async (service) => {
    const ledgers = (await selectLedgers(service.installation)).filter((ledger) =>
      isWanted(ledger, options),
    );
    if (ledgers.length === 0) throw new CommandError('no ledger matches --org and --mode');
    if (anchor !== null && ledgers.length > 1) {
      throw new CommandError('--expect-seq applies to one ledger: select it with --org and --mode');
    }
    const all: ChainReport[] = [];
    for (const ledger of ledgers) all.push(...(await reportLedger(service, ledger, anchor)));
    return all;
  }, LOOKS);
  const isValid = areValid(reports);
  if (options.json === true) printJson({ is_valid: isValid, chains: reports.map(toJson) });
  else for (const report of reports) for (const line of linesOf(report)) print(line);
  if (!isValid) process.exitCode = 1;
}

function isWanted(ledger: LedgerRow, { org, mode }: VerifyOptions): boolean {
  return (org === undefined || isNamed(ledger, org)) && (mode ?? ledger.mode) === ledger.mode;
}

export function readAnchor({
  expectSeq,
  expectHash,
}: Pick<VerifyOptions, 'expectSeq' | 'expectHash'>): VerifyRequest['anchor'] {
  if (expectSeq === undefined && expectHash === undefined) return null;
  const seq = Number(expectSeq);
  if (!Number.isSafeInteger(seq) || seq < 1 || !/^[0-9a-f]{64}$/.test(expectHash ?? '')) {
    throw new CommandError(
      '--expect-seq N and --expect-hash HEX are required together: copy both from the receipt',
    );
  }
  return { seq, hash: expectHash ?? '' };
}

export interface ChainReport extends Verification {
  readonly organisation: string;
  readonly ledger: string;
  readonly mode: Mode;
  readonly chain: ChainName;
  /** Of an activity chain that is valid; null for any other. */
  readonly reconciliation: Reconciliation | null;
}

/** Verifies both chains of a ledger, and compares the tables with the activity. */
export async function reportLedger(
  service: Service,
  ledger: LedgerRow,
  anchor: VerifyRequest['anchor'],
): Promise<ChainReport[]> {
  return [
    await walk(service, ledger, 'decisions', anchor),
    await walk(service, ledger, 'activity', null),
  ];
}

export function areValid(reports: readonly ChainReport[]): boolean {
  return reports.every(
    ({ finding, reconciliation }) => finding === null && reconciliation?.is_reconciled !== false,
  );
}

async function walk(
  { db }: Service,
  ledger: LedgerRow,
  chain: ChainName,
  anchor: VerifyRequest['anchor'],
): Promise<ChainReport> {
  const scope = { orgId: ledger.org_id, ledgerId: ledger.ledger_id, mode: ledger.mode };
  const walkChain = chain === 'decisions' ? verifyDecisions : verifyActivity;
  const bar = progressBar(`${ledger.name} ${ledger.mode} ${chain}`);
  try {
    const range = { start: undefined, end: undefined };
    const verification = await walkChain(
      db.ledger(scope),
      { range, anchor },
      ({ checked, total }) => bar.update(checked, total),
    );
    const ledgerId = uuidToId('led', ledger.ledger_id);
    const { name: organisation, mode } = ledger;
    const reconciliation =
      chain === 'activity' && verification.finding === null
        ? await compare(db.ledger(scope), `${ledger.name} ${ledger.mode} tables`)
        : null;
    return { ...verification, organisation, ledger: ledgerId, mode, chain, reconciliation };
  } finally {
    bar.stop();
  }
}

async function compare(ledger: Ledger, label: string): Promise<Reconciliation> {
  const bar = progressBar(label);
  try {
    return await reconcileWithHistory(ledger, ({ checked, total }) => bar.update(checked, total));
  } finally {
    bar.stop();
  }
}

/** The members of the HTTP response, and the chain. */
export function toJson(report: ChainReport) {
  const { finding, recordsChecked, erasedFields, reconciliation, ...rest } = report;
  return {
    ...rest,
    is_valid: finding === null,
    records_checked: recordsChecked,
    erased_fields: erasedFields,
    first_broken_link: describeBrokenLink(finding, rest.chain),
    ...(rest.chain === 'activity' && { reconciliation }),
  };
}

function sentence(report: ChainReport): string {
  const { organisation, mode, chain, recordsChecked, erasedFields, finding, head } = report;
  const what = `${organisation} ${mode} ${chain}`;
  if (finding === null) {
    const erased = erasedFields === 0 ? '' : `${erasedFields} erased fields, `;
    const end = `ends at seq ${head.seq} hash ${head.hash}`;
    return `${what}: valid, ${recordsChecked} records, ${erased}${end}`;
  }
  const { seq, kind, detail, expected, actual } = finding;
  const where = `seq ${seq} (${kind}${detail === undefined ? '' : ` ${detail}`})`;
  return `${what}: BROKEN at ${where}: expected ${expected}, found ${actual}`;
}

/** The result for a person, in a few lines. */
export function linesOf(report: ChainReport): string[] {
  const { reconciliation } = report;
  if (reconciliation === null) return [sentence(report)];
  return [sentence(report), ...tableLines(`${report.organisation} ${report.mode}`, reconciliation)];
}

/** What the tables say beside the chain: one line, and one for each finding that is listed. */
function tableLines(ledger: string, found: Reconciliation): string[] {
  const { rows_checked, findings_count, findings, unproven, skipped } = found;
  const old = unproven.reduce((sum, { rows }) => sum + rows, 0);
  const beside = [
    ...(old === 0 ? [] : [`${old} values unproven`]),
    ...skipped.map(({ table, rows, reason }) => `${rows} of ${table} skipped: ${reason}`),
  ];
  const result =
    findings_count === 0
      ? 'agree with the activity'
      : `DIFFER from the activity in ${findings_count} places`;
  const first = [`${ledger} tables: ${result}, ${rows_checked} rows`, ...beside].join(', ');
  const rest = findings_count - findings.length;
  return [
    first,
    ...findings.map((finding) => `  ${findingText(finding)}`),
    ...(rest === 0 ? [] : [`  and ${rest} more`]),
  ];
}
