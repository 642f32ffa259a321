import type { DecisionToRecord } from './encode.js';

/** A session of an agent whose decisions are numbered. */
export interface AgentSession {
  /** The value of `metadata.session_id`. */
  readonly id: string;
  /** Decisions recorded so far: the `metadata.session_seq` of the last one. */
  readonly count: number;
  /** Records a decision like `Ledger.record`, with `session_id` and `session_seq` in its metadata. */
  record(decision: DecisionToRecord): void;
  /** The metadata of the next decision, for `recordNow`; it takes the number. */
  next(): { readonly session_id: string; readonly session_seq: number };
}

export function openSession(
  record: (decision: DecisionToRecord) => void,
  id: string = crypto.randomUUID(),
): AgentSession {
  let count = 0;
  const next = () => {
    count += 1;
    return { session_id: id, session_seq: count };
  };
  return {
    id,
    next,
    get count() {
      return count;
    },
    record(decision) {
      // A lost decision takes its number along, which leaves the gap.
      record({ ...decision, metadata: { ...decision?.metadata, ...next() } });
    },
  };
}
