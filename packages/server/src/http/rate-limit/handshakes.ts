import type { Clock } from '../../platform/clock.js';
import { IdleSweptMap } from './entries.js';
import { admit, type GcraState } from './gcra.js';
import type { Decision } from './limiter.js';

const PERIOD_MS = 60_000;

/** Counts handshakes with a valid key per organisation and address, in the memory of this process. */
export interface HandshakeLimiter {
  /** @param limit handshakes per minute */
  take(orgId: string, ip: string, limit: number): Decision;
}

interface Entry {
  state: GcraState | undefined;
}

export function handshakeLimiter(clock: Clock): HandshakeLimiter {
  const entries = new IdleSweptMap<Entry>(
    ({ state }, now) => state === undefined || now - state.at >= PERIOD_MS,
  );
  return {
    take(orgId, ip, limit) {
      const now = clock.now();
      const key = `${orgId} ${ip}`;
      const entry = entries.get(key) ?? { state: undefined };
      entries.add(key, entry, now);
      const rate = { limit, periodMs: PERIOD_MS, burst: limit };
      const { state, ...admission } = admit(entry.state, now, rate, 1);
      entry.state = state;
      return {
        allowed: admission.allowed,
        limit,
        remaining: admission.remaining,
        retryAfterSeconds: admission.allowed ? 0 : seconds(admission.retryAfterMs),
        resetSeconds: Math.ceil(admission.resetMs / 1000),
      };
    },
  };
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
