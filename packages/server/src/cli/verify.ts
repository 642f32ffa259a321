import type { Mode } from '@decision-ledger/contract/access';
import { type LedgerRow, selectLedgers } from '../domains/access/organisations/index.js';
import type { VerifyRequest } from '../platform/chain/verify.js';
import { areValid, type ChainReport, linesOf, reportLedger, toJson } from './chain-reports.js';
import { isNamed } from './ledger.js';
import { withLedgers } from './open.js';
import { CommandError, print, printJson } from './output.js';

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
