import type { OpenedSession } from '@decision-ledger/client/api/session';
import type { EndReason, Mode, SessionState, StoredSession } from './state.ts';
import { readState, writeState } from './storage.ts';

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
