import { DECISION_TYPE, type DecisionEntry } from '@decision-ledger/proof/entry';
import type { Findings } from '../report/findings.js';
import { ChainLines, type Linked } from './chain-lines.js';
import type { Files } from './files.js';
import type { FirstPlace, Manifest } from './manifest.js';
import { Run } from './run.js';

const ENTRIES = 'entries.ndjson';
const FUTURE_MS = 5 * 60 * 1000;

/** Walks the run of decisions and keeps what the decisions are compared with. */
export async function checkEntries(
  files: Files,
  manifest: Manifest,
  findings: Findings,
): Promise<{ run: Run; epoch: number; genesisHash: string | null }> {
  const lines = new DecisionLines({ file: ENTRIES, chain: 'decisions', manifest, findings });
  await files.lines(ENTRIES, lines);
  lines.end();
  const { run, epoch, genesisHash } = lines;
  return { run, epoch: epoch ?? 1, genesisHash };
}

export function isInRange({ range }: Manifest, timestamp: string): boolean {
  return range.start <= timestamp && timestamp < range.end;
}

class DecisionLines extends ChainLines<DecisionEntry> {
  readonly run = new Run();

  /** Compares the ends with those of the manifest. */
  end(): void {
    const { first, last } = this.manifest.decisions ?? { first: null, last: null };
    const sameFirst =
      this.first?.seq === first?.seq &&
      this.first?.hash === first?.hash &&
      this.first?.prevHash === first?.prevHash;
    if (!sameFirst) {
      this.#ends(`begins with ${shownFirst(this.first)}`, `${shownFirst(first)} as the first`);
    }
    if (this.last?.seq !== last?.seq || this.last?.hash !== last?.hash) {
      this.#ends(`ends with ${shown(this.last)}`, `${shown(last)} as the last`);
    }
  }

  protected override takesLine(): boolean {
    return false;
  }

  protected override take({ entry, hash }: Linked<DecisionEntry>): void {
    const { seq, timestamp } = entry;
    this.run.add({ seq, hash, timestamp }, isInRange(this.manifest, timestamp));
    if (Date.parse(entry.timestamp) > Date.parse(entry.created_at) + FUTURE_MS) {
      const message = `The decision is dated ${entry.timestamp}, and was recorded at ${entry.created_at}.`;
      const at = { seq: entry.seq, id: entry.decision_id };
      this.fail('time_ahead', message, at, 'time');
    }
  }

  protected override isOfChain(entry: object): entry is DecisionEntry {
    return '_type' in entry && entry._type === DECISION_TYPE;
  }

  protected override firstSeq(): number {
    return this.manifest.decisions?.first?.seq ?? 1;
  }

  /** What stands before the run is not in the bundle: the manifest's word, which is signed. */
  protected override prevHashOfFirst(): string {
    return this.manifest.decisions?.first?.prevHash ?? '';
  }

  protected override gap(due: number, found: number): void {
    const message =
      found > due
        ? `The entries from seq ${due} to ${found - 1} are missing.`
        : `The entry of seq ${found} stands where ${due} is due.`;
    this.fail('run_gap', message, { seq: due }, 'completeness');
  }

  #ends(found: string, wanted: string): void {
    const message = `The run ${found}; the manifest names ${wanted}.`;
    this.fail('run_ends', message, {}, 'completeness');
  }
}

/** The first place of a run as a finding shows it, with what it goes on from. */
export function shownFirst(place: FirstPlace | null): string {
  return place === null ? 'none' : `${shown(place)} behind ${place.prevHash}`;
}

/** A place as a finding shows it. */
export function shown(place: { readonly seq: number; readonly hash: string } | null): string {
  return place === null ? 'none' : `seq ${place.seq} (${place.hash})`;
}
