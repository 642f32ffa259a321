import { PREFIX } from '../address.ts';
import type { Mode, SessionState, StoredSession } from './state.ts';

const MODES = ['live', 'test'] as const;
/** Services below several paths of a host share its storage. */
const OWNER = `decision-ledger${PREFIX}`;
const ACTIVE = `${OWNER}.mode`;

function nameOf(mode: Mode): string {
  return `${OWNER}.session.${mode}`;
}

/** The stored sessions, without those that have expired or cannot be read. */
export function readState(storage: Storage, now: number): SessionState {
  const found = MODES.map((mode) => readSession(storage.getItem(nameOf(mode)), mode)).filter(
    (session) => session !== null && Date.parse(session.expiresAt) > now,
  );
  const active = storage.getItem(ACTIVE) === 'test' ? 'test' : 'live';
  const sessions = Object.fromEntries(found.map((session) => [session?.mode, session]));
  return { active, sessions, ended: null };
}

export function writeState(storage: Storage, { active, sessions }: SessionState): void {
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
