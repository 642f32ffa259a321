import type { JsonValue } from '@decision-ledger/proof/gate';
import type { TObject } from 'typebox';
import type { Scope } from '../scope.js';

/** One kind of background work: what its jobs hold, and how often they are tried. */
export interface Queue<Schema extends TObject = TObject> {
  /** Letters, digits and hyphens; kept in the database. */
  readonly name: string;
  /** What a job holds beside the ledger that it works for. */
  readonly data: Schema;
  /** With `key`, at most one job of a key waits and at most one is worked on. */
  readonly once: 'always' | 'key';
  /** Tries after the first. */
  readonly retries: number;
  /** Seconds before the second try; each further wait is about twice as long, up to `longestDelay`. */
  readonly firstDelay: number;
  readonly longestDelay: number;
  /** Seconds after which a try that has not ended is given up. */
  readonly timeout: number;
}

/** The queue in which jobs that were given up wait until somebody has them tried again. */
export const DEAD_LETTERS = 'dead-letters';

/** A job's ledger, as it is stored with the job. */
export interface JobScope {
  readonly org_id: string;
  readonly ledger_id: string;
  readonly mode: Scope['mode'];
}

export function toJobScope({ orgId, ledgerId, mode }: Scope): JobScope {
  return { org_id: orgId, ledger_id: ledgerId, mode };
}

export function toScope({ org_id, ledger_id, mode }: JobScope): Scope {
  return { orgId: org_id, ledgerId: ledger_id, mode };
}

/** What a job holds. */
export type JobData = { readonly [name: string]: JsonValue };
