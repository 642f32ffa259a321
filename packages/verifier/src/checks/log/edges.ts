import { FUTURE_MS } from '@decision-ledger/proof/bundle/lateness';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import type { Findings } from '../../report/findings.js';
import type { SignedCheckpoint } from '../activity-facts.js';
import type { Run } from '../run.js';

/** The record of the activity chain that names the checkpoint of the decisions. */
export interface Named {
  readonly seq: number;
  /** When it was recorded. */
  readonly at: string;
}

/** What the ends of a run are compared with. */
interface Edges {
  /** Decisions in the log. */
  readonly size: number;
  /** Checkpoints of the decisions that the activity chain names, and that fit the run. */
  readonly signed: readonly SignedCheckpoint[];
  /** The time of recording, ms, from which on no decision of the range follows. */
  readonly until: number;
}

interface Shown {
  /** Why the end stays open; null if it does not. */
  readonly open: string | null;
  /** Until when the run has what was recorded; null if nothing says so. */
  readonly shownUntil: string | null;
}

/**
 * Checks that the run shows where its range begins and ends. It begins with the first entry of the chain, or with
 * one that was recorded before any of the range can have been; it ends when the range was over. An entry says
 * itself when it was recorded. Where it is withheld, a checkpoint that was named before or after that time
 * does: its tree has the entry, or ends before the next one.
 */
export function checkEdges(
  run: Run,
  { range }: RecordsManifest,
  { size, signed, until }: Edges,
  findings: Findings,
): Shown {
  const start = Date.parse(range.start);
  const { first, last } = run;
  const isBefore = ({ at }: SignedCheckpoint) => Date.parse(at) < start - FUTURE_MS;
  const closing = signed.find(
    (one) => one.size <= (last?.seq ?? 0) && Date.parse(one.at) >= until + FUTURE_MS,
  );
  if (first === null || last === null) {
    if (size === 0)
      return { open: closing === undefined ? notOver(until) : null, shownUntil: null };
    lower(`The run has no entry, but the log of decisions has ${size}.`, findings);
    return { open: 'The run has no entry.', shownUntil: null };
  }
  const isEarly =
    first.seq <= 1 ||
    first.recorded < start - FUTURE_MS ||
    signed.some((one) => one.size >= first.seq && isBefore(one));
  if (!isEarly) {
    const message = `The run begins with seq ${first.seq}${recordedAt(first)}: it shows no entry from before ${range.start}.`;
    lower(message, findings);
  }
  const shownUntil = Number.isNaN(last.recorded) ? (closing?.at ?? null) : iso(last.recorded);
  if (last.recorded >= until || closing !== undefined) return { open: null, shownUntil };
  const open =
    last.seq === size
      ? notOver(until)
      : `The run ends with seq ${last.seq}${recordedAt(last)}; the log has ${size} decisions, and no entry shows that the range was over.`;
  return { open, shownUntil };
}

function notOver(until: number): string {
  return `The range until ${iso(until)} was not over when the log was signed.`;
}

/** Nothing for an entry that is withheld. */
function recordedAt({ recorded }: { readonly recorded: number }): string {
  return Number.isNaN(recorded) ? '' : `, recorded at ${iso(recorded)}`;
}

function lower(message: string, findings: Findings): void {
  findings.fail('completeness', { code: 'range_edge', file: 'entries.ndjson', message });
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
