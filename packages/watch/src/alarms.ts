import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeAtomically } from '@decision-ledger/embedded/atomic-file';

/** What can be wrong with a log, with its meaning. The documentation has the same table. */
export const ALARMS = {
  fork: 'The log signed two histories.',
  shrunk: 'The log has fewer records than before: it was restored from a backup, or was cut.',
  stale: 'The log has no new checkpoint for longer than --stale-after.',
  invalid: 'The answer is not a checkpoint that the key of the log signed.',
  unproven: 'A checkpoint could not be compared with those before it.',
  unreachable: 'The log does not answer.',
} as const;

export type AlarmKind = keyof typeof ALARMS;

/** An alarm that began and is not over. */
export interface Alarm {
  readonly kind: AlarmKind;
  /** Origin of the log, or its chain before its key is known. */
  readonly log: string;
  readonly message: string;
  readonly since: string;
  /** Whether the webhook took it. */
  readonly is_sent: boolean;
}

/** Sends what happened. @returns whether it was taken */
export type SendAlarm = (alarm: Alarm, state: 'raised' | 'cleared') => Promise<boolean>;

/** The alarms that are on: each is reported when it begins and when it ends, also over restarts. */
export class Alarms {
  readonly #path: string;
  readonly #send: SendAlarm;
  #active: Alarm[];

  private constructor(path: string, active: Alarm[], send: SendAlarm) {
    this.#path = path;
    this.#active = active;
    this.#send = send;
  }

  static async open(folder: string, send: SendAlarm): Promise<Alarms> {
    const path = join(folder, 'alarms.json');
    return new Alarms(path, await readAlarms(path), send);
  }

  get active(): readonly Alarm[] {
    return this.#active;
  }

  /** Takes what is wrong with a log now: new alarms are raised, those that are over are cleared. */
  async update(log: string, found: ReadonlyMap<AlarmKind, string>, now: number): Promise<void> {
    const others = this.#active.filter((alarm) => alarm.log !== log);
    const own = this.#active.filter((alarm) => alarm.log === log);
    const over = own.filter(({ kind }) => !found.has(kind));
    const current: Alarm[] = [];
    for (const [kind, message] of found) {
      const known = own.find((alarm) => alarm.kind === kind);
      const since = known?.since ?? new Date(now).toISOString();
      current.push({ kind, log, message, since, is_sent: known?.is_sent ?? false });
    }
    // Stored before it is sent: after a crash it is sent again rather than never.
    await this.#store([...others, ...current]);
    const sent: Alarm[] = [];
    for (const alarm of current) {
      sent.push({ ...alarm, is_sent: alarm.is_sent || (await this.#send(alarm, 'raised')) });
    }
    for (const alarm of over) await this.#send(alarm, 'cleared');
    if (sent.some(({ is_sent }, at) => is_sent !== current[at]?.is_sent)) {
      await this.#store([...others, ...sent]);
    }
  }

  async #store(active: Alarm[]): Promise<void> {
    const text = JSON.stringify(active);
    if (text === JSON.stringify(this.#active)) return;
    await writeAtomically(this.#path, `${text}\n`);
    this.#active = active;
  }
}

/** Alarms that cannot be read are forgotten: those that are on are raised again. */
async function readAlarms(path: string): Promise<Alarm[]> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Array.isArray(value) ? value.filter(isAlarm) : [];
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing || error instanceof SyntaxError) return [];
    throw error;
  }
}

function isAlarm(value: unknown): value is Alarm {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, log, message, since, is_sent } = { ...emptyAlarm, ...value };
  const areTexts = [kind, log, message, since].every((one) => typeof one === 'string');
  return areTexts && Object.hasOwn(ALARMS, String(kind)) && typeof is_sent === 'boolean';
}

const emptyAlarm: Readonly<Record<keyof Alarm, unknown>> = {
  kind: null,
  log: null,
  message: null,
  since: null,
  is_sent: null,
};

const TIMEOUT_MS = 10_000;
const DELAYS_MS = [0, 1000, 3000];

/**
 * Posts an alarm as JSON. A failure is reported and does not end the watch.
 * @returns whether the receiver took it
 */
export async function postAlarm(
  url: string,
  alarm: Alarm,
  state: 'raised' | 'cleared',
  onProblem: (message: string) => void,
): Promise<boolean> {
  const { kind, log, message, since } = alarm;
  const body = JSON.stringify({ type: 'log.alarm', state, kind, log, message, since });
  let problem = '';
  for (const delay of DELAYS_MS) {
    await pause(delay);
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
      await answer.body?.cancel();
      if (answer.ok) return true;
      problem = `it answered ${answer.status}`;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  }
  onProblem(`the webhook did not take the alarm ${kind}: ${problem}`);
  return false;
}
