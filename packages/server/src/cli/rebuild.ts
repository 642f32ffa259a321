import type { Mode } from '@decision-ledger/contract/permissions';
import { type LedgerRow, selectLedgers } from '../domains/access/organisations/index.js';
import {
  type LedgerRebuild,
  PROJECTIONS,
  projectionsFor,
  rebuildLedger,
} from '../domains/evidence/rebuild/index.js';
import { type Database, openDatabase } from '../platform/database.js';
import { uuidToId } from '../platform/ids.js';
import type { Projection } from '../platform/projections/projection.js';
import type { Rebuilt } from '../platform/projections/rebuild.js';
import { ownerInSession } from '../platform/sessions.js';
import type { Service } from '../service.js';
import { isNamed } from './ledger.js';
import { PATIENCE, withLedgers } from './open.js';
import {
  CommandError,
  type ProgressBar,
  print,
  printError,
  printJson,
  progressBar,
} from './output.js';

export interface RebuildOptions {
  readonly only?: string;
  readonly org?: string;
  readonly mode?: Mode;
  readonly json?: boolean;
}

interface Report extends LedgerRebuild {
  readonly organisation: string;
  readonly ledger: string;
  readonly mode: Mode;
}

/** Sets exit code 1 if something could not be made again. One ledger does not keep the others from being made. */
export async function rebuild(options: RebuildOptions): Promise<void> {
  const { only } = options;
  const projections = projectionsFor(only);
  if (projections === null) {
    const names = PROJECTIONS.map(({ name }) => name).join(', ');
    throw new CommandError(`--only ${only}: there is no such projection; choose one of ${names}`);
  }
  const reports = await withLedgers(async (service) => {
    const ledgers = (await selectLedgers(service.installation)).filter((ledger) =>
      isWanted(ledger, options),
    );
    if (ledgers.length === 0) throw new CommandError('no ledger matches --org and --mode');
    const onReport = (report: Report) => {
      if (options.json !== true) print(...linesOf(report));
      if (!isWhole(report)) process.exitCode = 1;
    };
    return rebuildAll(service, ledgers, projections, onReport);
  });
  if (options.json === true) {
    printJson({ is_whole: reports.every(isWhole), ledgers: reports.map(toJson) });
  }
}

function isWhole({ damage, failure, unfinished }: Report): boolean {
  return damage.length === 0 && failure === null && unfinished.length === 0;
}

function isWanted(ledger: LedgerRow, { org, mode }: RebuildOptions): boolean {
  return (org === undefined || isNamed(ledger, org)) && (mode ?? ledger.mode) === ledger.mode;
}

/** The rows are replaced as the owner of the schema: the service itself may change hardly any of them. */
async function rebuildAll(
  service: Service,
  ledgers: readonly LedgerRow[],
  projections: readonly Projection[],
  onReport: (report: Report) => void,
): Promise<Report[]> {
  const owner = openDatabase({
    ...(await ownerInSession(service.storage.address)),
    maxConnections: 1,
    patience: PATIENCE,
    onError: printError,
    onNotification: service.storage.notifications.notify,
  });
  try {
    const reports: Report[] = [];
    for (const ledger of ledgers) {
      const report = await rebuildOne(owner, ledger, projections);
      reports.push(report);
      onReport(report);
    }
    return reports;
  } finally {
    await owner.close();
  }
}

async function rebuildOne(
  owner: Database,
  row: LedgerRow,
  projections: readonly Projection[],
): Promise<Report> {
  const { name: organisation, mode } = row;
  const scope = { orgId: row.org_id, ledgerId: row.ledger_id, mode };
  const bars = new Bars(`${organisation} ${mode}`);
  try {
    const rebuilt = await rebuildLedger(owner.ledger(scope), projections, (step, done, total) =>
      bars.update(step, done, total),
    );
    return { organisation, ledger: uuidToId('led', row.ledger_id), mode, ...rebuilt };
  } finally {
    bars.stop();
  }
}

/** One progress bar after the other. */
class Bars {
  readonly #label: string;
  #step = '';
  #bar: ProgressBar | null = null;

  constructor(label: string) {
    this.#label = label;
  }

  update(step: string, done: number, total: number): void {
    if (step !== this.#step) {
      this.stop();
      this.#step = step;
      this.#bar = progressBar(`${this.#label} ${step}`);
    }
    this.#bar?.update(done, total);
  }

  stop(): void {
    this.#bar?.stop();
  }
}

function toJson({ projections, failure, ...report }: Report) {
  return {
    ...report,
    failure: failure?.message ?? null,
    projections: projections.map(({ differences, ...counts }) => ({
      ...counts,
      differences: differences.map(({ key, expected, actual }) => ({
        key: JSON.parse(key),
        kind: kindOf(expected, actual),
      })),
    })),
  };
}

function linesOf(report: Report): string[] {
  const { organisation, mode, projections, damage, failure, unfinished } = report;
  const ledger = `${organisation} ${mode}`;
  const stopped =
    damage.length === 0
      ? []
      : [
          `${ledger}: NOT REBUILT: facts or published values are wrong`,
          ...damage.map((text) => `  ${text}`),
        ];
  if (failure !== null)
    stopped.push(`${ledger}: FAILED: ${failure.message}; run the command again`);
  if (unfinished.length > 0)
    stopped.push(`${ledger}: to be rebuilt still: ${unfinished.join(', ')}`);
  return [...projections.flatMap((rebuilt) => projectionLines(ledger, rebuilt)), ...stopped];
}

function projectionLines(ledger: string, rebuilt: Rebuilt): string[] {
  const { projection, rows, added, replaced, removed, waits_for, differences } = rebuilt;
  const count = added + replaced + removed;
  const changed =
    count === 0 ? 'nothing differed' : `${added} added, ${replaced} replaced, ${removed} removed`;
  const done = waits_for === null ? changed : `${changed}, not all compared: ${waits_for}`;
  const rest = count - differences.length;
  return [
    `${ledger} ${projection}: ${rows} rows, ${done}`,
    ...differences.map(
      ({ key, expected, actual }) => `  ${kindOf(expected, actual)}${plainKey(key)}`,
    ),
    ...(rest === 0 ? [] : [`  and ${rest} more`]),
  ];
}

function kindOf(expected: string | null, actual: string | null): 'added' | 'replaced' | 'removed' {
  if (actual === null) return 'added';
  return expected === null ? 'removed' : 'replaced';
}

/** The columns that name a row, for people; nothing if a ledger has one row. */
function plainKey(key: string): string {
  const columns = key.replace(/^\{|\}$|"/g, '').replaceAll(' : ', ' ');
  return columns === '' ? '' : `: ${columns}`;
}
