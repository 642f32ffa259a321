import { setTimeout as pause } from 'node:timers/promises';
import type { Alarm } from './alarms.js';

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
