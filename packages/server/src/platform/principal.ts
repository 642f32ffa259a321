import type { Mode, Permission } from '@decision-ledger/contract/permissions';

/** The authenticated caller: its key, permissions and ledger. */
export interface Principal {
  readonly scope: Scope;
  /**
   * The author of changes, as they are recorded: the id of the key, the person and id of the session
   * (`Ada (ses_…)`), or `operator` for the command line.
   */
  readonly actor: string;
  readonly permissions: ReadonlySet<Permission>;
  /** The agents whose decisions it may record; absent for a caller without such a limit. */
  readonly agents?: ReadonlySet<string>;
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

/** The organisation and ledger of an operation. */
export interface Scope {
  /** UUID. */
  readonly orgId: string;
  /** UUID. */
  readonly ledgerId: string;
  readonly mode: Mode;
}

/** The scope as stored in rows and jobs. */
export interface StoredScope {
  readonly org_id: string;
  readonly ledger_id: string;
  readonly mode: Mode;
}

export function toScope({ org_id, ledger_id, mode }: StoredScope): Scope {
  return { orgId: org_id, ledgerId: ledger_id, mode };
}
