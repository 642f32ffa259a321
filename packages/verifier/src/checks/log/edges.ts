import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import type { Findings } from '../../report/findings.js';
import { FUTURE_MS } from '../clock.js';
import type { Run } from '../run.js';

/** The record of the activity chain that names the checkpoint of the decisions. */
export interface Named {
  readonly seq: number;
  /** When it was recorded. */
  readonly at: string;
}

/** What the end of a run is compared with. */
interface Upper {
  /** Decisions in the log. */
  readonly size: number;
  readonly named: Named | null;
  /** The time of recording, ms, from which on no decision of the range follows. */
  readonly until: number;
}

/**
 * Checks that the run shows an entry on each side of its range: one recorded before any of the range can
 * have been, or the first of the chain; and one recorded when it was over, or the last that the log has.
 * @returns why the end stays open; null if it does not
 */
export function checkEdges(
  run: Run,
  { range }: RecordsManifest,
  { size, named, until }: Upper,
  findings: Findings,
): string | null {
  const start = Date.parse(range.start);
  const { first, last } = run;
  if (first === null || last === null) {
    if (size > 0) lower(`The run has no entry, but the log of decisions has ${size}.`, findings);
    return size > 0 ? 'The run has no entry.' : openEnd(named, until);
  }
  if (first.seq > 1 && first.recorded >= start - FUTURE_MS) {
    const message = `The run begins with seq ${first.seq}, recorded at ${iso(first.recorded)}: it shows no entry from before ${range.start}.`;
    lower(message, findings);
  }
  if (last.recorded >= until) return null;
  if (last.seq === size) return openEnd(named, until);
  return `The run ends with seq ${last.seq}, recorded at ${iso(last.recorded)}; the log has ${size} decisions, and no entry shows that the range was over.`;
}

/** A run that ends with the log has the whole range only if the range was over. */
function openEnd(named: Named | null, until: number): string | null {
  const isOver = named !== null && Date.parse(named.at) >= until + FUTURE_MS;
  return isOver ? null : `The range until ${iso(until)} was not over when the log was signed.`;
}

function lower(message: string, findings: Findings): void {
  findings.fail('completeness', { code: 'range_edge', file: 'entries.ndjson', message });
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
