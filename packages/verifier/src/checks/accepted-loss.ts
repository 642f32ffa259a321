import type { Shape } from '@decision-ledger/proof/bundle/shape';

/** Decisions that a restored backup lacks, which the organisation has accepted. */
export interface AcceptedLoss {
  readonly at: string;
  /** Seq of the last decision that was there. */
  readonly from: number;
  /** Seq of the last one that is known to have existed; null if only checkpoints show the loss. */
  readonly until: number | null;
  readonly acceptsFork: boolean;
  readonly reason: string;
}

/**
 * @param data of a record `ledger.restored`
 * @throws ShapeError
 */
export function readLoss(at: string, data: Shape): AcceptedLoss {
  return {
    at,
    from: data.count('from_seq'),
    until: data.has('expected_seq') ? data.count('expected_seq') : null,
    acceptsFork: data.flag('accepts_fork'),
    reason: data.text('reason'),
  };
}

const MAX_REASON = 200;

/** What was lost, in a sentence that follows another one. */
export function lossText({ at, from, until, acceptsFork, reason }: AcceptedLoss): string {
  const lost =
    until === null
      ? `What followed decision ${from}`
      : `What was decided under the numbers ${from + 1} to ${until}`;
  const fork = acceptsFork ? ' Checkpoints of before may contradict this history.' : '';
  return ` ${lost} was lost when a backup was restored. The organisation accepted that on ${at}, and states as the reason ${JSON.stringify(reason.slice(0, MAX_REASON))}.${fork}`;
}
