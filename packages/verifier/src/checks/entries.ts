import { FILES } from '@decision-ledger/proof/bundle/format';
import { FUTURE_MS } from '@decision-ledger/proof/bundle/lateness';
import type { Manifest } from '@decision-ledger/proof/bundle/manifest';
import { matchesFilter, type SelectionFilter } from '@decision-ledger/proof/bundle/selection';
import type { DecisionEntry } from '@decision-ledger/proof/entry';
import { ChainLines, type Linked } from './chain-lines.js';
import type { Files } from './files.js';
import type { LogCheck } from './log/check.js';
import { describePoint, describeStart, isSamePoint, isSameStart, Run } from './run.js';
import type { Withheld } from './selection/chosen.js';

const ENTRIES = 'entries.ndjson';

/** Verifies the run of decisions; `lines` then holds the data to compare decisions.json with. */
export async function checkEntries(files: Files, lines: DecisionLines): Promise<void> {
  await files.lines(ENTRIES, lines);
  lines.end();
}

export function isInRange({ range }: Manifest, timestamp: string): boolean {
  return range.start <= timestamp && timestamp < range.end;
}

/** What the entries of a run are compared with. */
export interface Beside {
  readonly log: LogCheck;
  /** The filter of the bundle that this one is compared with; null if it has none. */
  readonly otherFilter: SelectionFilter | null;
  /** What the bundle withholds of the run; null if it shows everything. */
  readonly withheld: Withheld | null;
}

export class DecisionLines extends ChainLines<DecisionEntry> {
  readonly run = new Run();
  readonly #beside: Beside;
  /** Number of the withheld entries so far. */
  #passed = 0;

  constructor(options: ConstructorParameters<typeof ChainLines>[0], beside: Beside) {
    super(options);
    this.#beside = beside;
  }

  /** Compares the ends with those of the manifest. */
  end(): void {
    this.comeTo(Number.POSITIVE_INFINITY);
    const { first, last } = this.manifest.decisions;
    if (!isSameStart(this.first, first)) {
      this.#ends(
        `begins with ${describeStart(this.first)}`,
        `${describeStart(first)} as the first`,
      );
    }
    if (!isSamePoint(this.last, last)) {
      this.#ends(`ends with ${describePoint(this.last)}`, `${describePoint(last)} as the last`);
    }
  }

  protected override handlesLine(): boolean {
    return false;
  }

  /** The withheld entries that stand before an entry of the file. */
  protected override comeTo(seq: number): void {
    const { withheld, log } = this.#beside;
    for (const point of withheld?.between(this.#passed, seq) ?? []) {
      this.#passed++;
      this.skip(point);
      this.run.withhold(point);
      log.add('decisions', point.hash);
    }
  }

  protected override addEntry({ entry, hash }: Linked<DecisionEntry>): void {
    const { seq, timestamp, created_at } = entry;
    const { log, otherFilter } = this.#beside;
    log.add('decisions', hash);
    this.run.add({ seq, hash, timestamp, created_at }, isInRange(this.manifest, timestamp));
    if (otherFilter !== null && matchesFilter(otherFilter, entry, null)) {
      this.run.choose(seq, entry.decision_id);
    }
    if (Date.parse(entry.timestamp) > Date.parse(entry.created_at) + FUTURE_MS) {
      const message = `The decision is dated ${entry.timestamp}, but was recorded at ${entry.created_at}.`;
      const at = { seq: entry.seq, id: entry.decision_id };
      this.fail('time_ahead', message, at, 'time');
    }
  }

  protected override isOfChain(entry: object): entry is DecisionEntry {
    return '_type' in entry && entry._type === FILES[ENTRIES].entryType;
  }

  protected override firstSeq(): number {
    return this.manifest.decisions.first?.seq ?? 1;
  }

  /** The record before the run is not in the bundle; its hash is attested by the signed manifest. */
  protected override prevHashOfFirst(): string {
    return this.manifest.decisions.first?.prev_hash ?? '';
  }

  protected override gap(due: number, found: number): void {
    const message =
      found > due
        ? `The entries from seq ${due} to ${found - 1} are missing.`
        : `The entry has seq ${found}; ${due} is expected.`;
    this.fail('run_gap', message, { seq: due }, 'completeness');
  }

  #ends(found: string, wanted: string): void {
    const message = `The run ${found}; the manifest names ${wanted}.`;
    this.fail('run_ends', message, {}, 'completeness');
  }
}
