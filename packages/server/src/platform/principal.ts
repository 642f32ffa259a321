import type { Permission } from '@decision-ledger/contract/access';
import type { Scope } from './scope.js';

/** The authenticated caller: its key, permissions and ledger. */
export interface Principal {
  readonly scope: Scope;
  /**
   * The author of changes, as they are recorded: the id of the key, the person and id of the session
   * (`Ada (ses_…)`), or `operator` for the command line.
   */
  readonly actor: string;
  readonly permissions: ReadonlySet<Permission>;
  /** Absent for a key and for the command line. */
  readonly session?: PersonSession;
}

/** The session of a person. */
export interface PersonSession {
  readonly sessionId: string;
  /** The person. */
  readonly name: string;
  /** The key that opened the session. */
  readonly keyId: string;
  /** ms. */
  readonly expiresAt: number;
}

/** The public identifier of the session or key; `operator` for the command line. */
export function credentialId({ session, actor }: Pick<Principal, 'session' | 'actor'>): string {
  return session?.sessionId ?? actor;
}

/** The public identifier of the key that the caller has, or that opened its session. */
export function keyOf({ session, actor }: Pick<Principal, 'session' | 'actor'>): string {
  return session?.keyId ?? actor;
}

/** The author of a change. */
export type Actor = Pick<Principal, 'actor' | 'session'>;
