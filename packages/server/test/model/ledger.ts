import type { Permission } from '@decision-ledger/contract/permissions';
import type { Scope } from '#server/platform/principal';

/** What the test knows of a credential, from the answers that it got. */
export interface Caller {
  /** Id of the key or the session. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How it is named as the author of what it does. */
  readonly actor: string;
  readonly permissions: ReadonlySet<Permission>;
  /** ms; null if it does not expire. */
  readonly expiresAt: number | null;
  /** The key of a session, whose end is also that of the session. */
  readonly parent: Caller | null;
  isRevoked: boolean;
}

export function isAlive(caller: Caller, now: number): boolean {
  const isOver = caller.isRevoked || (caller.expiresAt !== null && caller.expiresAt <= now);
  return !isOver && (caller.parent === null || isAlive(caller.parent, now));
}

export interface KnownDecision {
  readonly agent: string;
  /** The erasable fields that it was recorded with. */
  readonly fields: ReadonlySet<string>;
  readonly erased: Set<string>;
}

export interface KnownEvent {
  readonly amount: string;
  readonly currency: string;
  isDeleted: boolean;
}

/** What a person said that stands: of a suggested link, or of an event as a whole. */
export interface KnownAnswer {
  readonly eventId: string;
  readonly verdict: 'cause' | 'rejected' | 'none' | 'skipped';
  /** The decision that is the cause, or is not; null of an event as a whole. */
  readonly decisionId: string | null;
  readonly actor: string;
}

export interface KnownLink {
  readonly eventId: string;
  status: 'CONFIRMED' | 'ML_INFERRED' | 'REJECTED';
  isDeleted: boolean;
}

/** A request with an Idempotency-Key that was carried out. */
export interface Remembered {
  readonly key: string;
  readonly operation: string;
  readonly body: unknown;
  readonly path: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  readonly data: unknown;
}

/** What a ledger must hold, by the answers that callers got. Money of webhooks and suggestions come on top of it. */
export interface Ledger {
  readonly name: string;
  readonly scope: Scope;
  readonly root: Caller;
  readonly callers: Caller[];
  readonly decisions: Map<string, KnownDecision>;
  /** Decisions recorded from spans. */
  traced: number;
  readonly events: Map<string, KnownEvent>;
  /** Links that people made or reviewed. */
  readonly links: Map<string, KnownLink>;
  /** Answers that stand, by the id of their link, or of the event that they are about as a whole. */
  readonly answers: Map<string, KnownAnswer>;
  readonly exports: string[];
  /** Their sizes, by id. */
  readonly uploads: Map<string, number>;
  readonly remembered: Remembered[];
  /** Whether Stripe and traces were set up, and a limit of lateness. */
  readonly isSet: { stripe: boolean; traces: boolean; lateness: boolean };
}

export function emptyLedger(name: string, scope: Scope, root: Caller): Ledger {
  return {
    ...{ name, scope, root, callers: [root], traced: 0 },
    ...{ decisions: new Map(), events: new Map(), links: new Map(), answers: new Map() },
    ...{ exports: [], uploads: new Map(), remembered: [] },
    isSet: { stripe: false, traces: false, lateness: false },
  };
}
