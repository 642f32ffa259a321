import type { Clock } from '../../platform/clock.js';
import { IdleSweptMap } from './entries.js';
import { admit, type GcraState } from './gcra.js';
import type { Decision } from './limiter.js';

/** Handshakes an address may try in a minute before its key is known. */
const UNKNOWN_PER_MINUTE = 30;
const PERIOD_MS = 60_000;
/** Handshakes of one address that wait while others of it are being looked at. */
const MOST_WAITING = 1000;

/** What has been let in so far to be looked at; `end` is called once, whatever comes of it. */
export interface Attempt {
  /** @param isKnown whether it brought a key that opens something: then it cost nothing here */
  end(isKnown: boolean): void;
}

/**
 * Counts handshakes by address, in the memory of this process. Those with no good key, or with none,
 * cost one of 30 a minute, and so does each that is still being looked at: those beyond wait for the
 * outcome. Those with a good key are counted against the figure of their organisation.
 */
export interface HandshakeLimiter {
  /** @returns a refusal, or an attempt that is under way */
  enter(ip: string): Promise<Attempt | Decision>;
  take(orgId: string, ip: string, limit: number): Decision;
}

interface Entry {
  state: GcraState | undefined;
  looking: number;
  readonly waiting: (() => void)[];
}

export function handshakeLimiter(clock: Clock): HandshakeLimiter {
  const isIdle = ({ state, looking }: Entry, now: number) =>
    looking === 0 && (state === undefined || now - state.at >= PERIOD_MS);
  const addresses = new IdleSweptMap<Entry>(isIdle);
  const known = new IdleSweptMap<Entry>(isIdle);

  function find(entries: IdleSweptMap<Entry>, key: string): Entry {
    const entry = entries.get(key) ?? { state: undefined, looking: 0, waiting: [] };
    entries.add(key, entry, clock.now());
    return entry;
  }

  function spend(entry: Entry, limit: number, cost: number): Decision {
    const rate = { limit, periodMs: PERIOD_MS, burst: limit };
    const { state, ...admission } = admit(entry.state, clock.now(), rate, cost);
    entry.state = state;
    return {
      allowed: admission.allowed,
      limit,
      remaining: admission.remaining,
      retryAfterSeconds: admission.allowed ? 0 : seconds(admission.retryAfterMs),
      resetSeconds: Math.ceil(admission.resetMs / 1000),
    };
  }

  function attempt(entry: Entry): Attempt {
    entry.looking += 1;
    return {
      end(isKnown) {
        entry.looking -= 1;
        if (!isKnown) spend(entry, UNKNOWN_PER_MINUTE, 1);
        for (const wake of entry.waiting.splice(0)) wake();
      },
    };
  }

  return {
    async enter(ip) {
      const entry = find(addresses, ip);
      for (;;) {
        // What is being looked at may still cost: room is left for all of it.
        const { looking } = entry;
        const room = spend(entry, UNKNOWN_PER_MINUTE, 0).remaining;
        if (room > looking) return attempt(entry);
        if (looking === 0 || entry.waiting.length >= MOST_WAITING) {
          return refusal(entry.state, clock.now());
        }
        await new Promise<void>((resolve) => entry.waiting.push(resolve));
      }
    },
    take: (orgId, ip, limit) => spend(find(known, `${orgId} ${ip}`), limit, 1),
  };
}

function refusal(state: GcraState | undefined, now: number): Decision {
  const rate = { limit: UNKNOWN_PER_MINUTE, periodMs: PERIOD_MS, burst: UNKNOWN_PER_MINUTE };
  const { retryAfterMs, resetMs } = admit(state, now, rate, 1);
  return {
    allowed: false,
    limit: UNKNOWN_PER_MINUTE,
    remaining: 0,
    retryAfterSeconds: seconds(retryAfterMs),
    resetSeconds: Math.ceil(resetMs / 1000),
  };
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
