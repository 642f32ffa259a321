export type Mode = 'live' | 'test';

/** What is kept of a session: never the key that opened it. */
export interface StoredSession {
  readonly sessionId: string;
  readonly token: string;
  /** The person. */
  readonly name: string;
  readonly mode: Mode;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** Why a person has to sign in again. */
export type EndReason = 'expired' | 'revoked' | 'signed-out';

export interface SessionState {
  readonly active: Mode;
  /** At most one session of each mode. */
  readonly sessions: Readonly<Partial<Record<Mode, StoredSession>>>;
  /** The last session that ended in this tab, for the page that asks to sign in again. */
  readonly ended: { readonly mode: Mode; readonly reason: EndReason } | null;
}
