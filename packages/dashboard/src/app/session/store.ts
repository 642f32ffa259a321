import type { OpenedSession } from '@decision-ledger/client/api/access';
import { PREFIX } from '../address.ts';

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

interface SessionState {
  readonly active: Mode;
  /** At most one session of each mode. */
  readonly sessions: Readonly<Partial<Record<Mode, StoredSession>>>;
  /** The last session that ended in this tab, for the page that asks to sign in again. */
  readonly ended: { readonly mode: Mode; readonly reason: EndReason } | null;
}

/** The sessions of this tab. They outlive a reload, and end with the tab. */
export class SessionStore {
  #state: SessionState;
  readonly #storage: Storage;
  readonly #listeners = new Set<() => void>();

  /** @param now ms since the epoch; sessions that have expired are left out */
  constructor(storage: Storage, now: number) {
    this.#storage = storage;
    this.#state = readState(storage, now);
  }

  get state(): SessionState {
    return this.#state;
  }

  /** The session of the mode in view; undefined if the person is not signed in. */
  get current(): StoredSession | undefined {
    return this.#state.sessions[this.#state.active];
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  open({ session_id, token, name, mode, expires_at }: OpenedSession): void {
    const session = { sessionId: session_id, token, name, mode, expiresAt: expires_at };
    const sessions = { ...this.#state.sessions, [mode]: session };
    this.#change({ active: mode, sessions, ended: null });
  }

  show(mode: Mode): void {
    this.#change({ ...this.#state, active: mode });
  }

  /** Forgets a session. Nothing happens if another one took its place. */
  end(session: StoredSession, reason: EndReason): void {
    const { mode, sessionId } = session;
    if (this.#state.sessions[mode]?.sessionId !== sessionId) return;
    const { [mode]: _ended, ...sessions } = this.#state.sessions;
    this.#change({ ...this.#state, sessions, ended: { mode, reason } });
  }

  #change(state: SessionState): void {
    this.#state = state;
    writeState(this.#storage, state);
    for (const listener of this.#listeners) listener();
  }
}

const MODES = ['live', 'test'] as const;
/** Services below several paths of a host share its storage. */
const OWNER = `decision-ledger${PREFIX}`;
const ACTIVE = `${OWNER}.mode`;

function nameOf(mode: Mode): string {
  return `${OWNER}.session.${mode}`;
}

/** The stored sessions, without those that have expired or cannot be read. */
function readState(storage: Storage, now: number): SessionState {
  const found = MODES.map((mode) => readSession(storage.getItem(nameOf(mode)), mode)).filter(
    (session) => session !== null && Date.parse(session.expiresAt) > now,
  );
  const active = storage.getItem(ACTIVE) === 'test' ? 'test' : 'live';
  const sessions = Object.fromEntries(found.map((session) => [session?.mode, session]));
  return { active, sessions, ended: null };
}

function writeState(storage: Storage, { active, sessions }: SessionState): void {
  storage.setItem(ACTIVE, active);
  for (const mode of MODES) {
    const session = sessions[mode];
    if (session === undefined) storage.removeItem(nameOf(mode));
    else storage.setItem(nameOf(mode), JSON.stringify(session));
  }
}

function readSession(text: string | null, mode: Mode): StoredSession | null {
  const value = parse(text);
  const field = (name: string): string => {
    const found: unknown = value === null ? undefined : Reflect.get(value, name);
    return typeof found === 'string' ? found : '';
  };
  const session = {
    ...{ sessionId: field('sessionId'), token: field('token'), name: field('name') },
    ...{ mode, expiresAt: field('expiresAt') },
  };
  const isWhole = session.sessionId !== '' && session.token !== '' && field('mode') === mode;
  return isWhole ? session : null;
}

function parse(text: string | null): object | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
