import { isIPv6 } from 'node:net';
import type { Clock } from '../../platform/clock.js';
import { admit, type GcraState } from './gcra.js';
import type { Decision } from './limiter.js';

/** Tries of an address in a minute that may fail to show a good key. */
const FAILURES = { limit: 30, periodMs: 60_000, burst: 30 };
/** Addresses share these by their hash, so that no number of them takes more memory. */
const SLOTS = 4096;

/** One try of an address, from before its key is looked up. */
export interface Attempt {
  /** The address has failed so often, or might by now, that its lookups are not urgent. */
  readonly isSuspect: boolean;
  /** It failed. @returns a refusal once the address has failed too often */
  fail(): Decision;
  /** Called once, whatever came of it. */
  end(): void;
}

/**
 * Counts tries to show a good key that failed, by address, in the memory of this process: 30 a minute.
 * Good keys are never refused for them. Addresses of IPv6 count by their network of 64 bits.
 */
export interface KeyFailures {
  begin(ip: string): Attempt;
}

interface Slot {
  state: GcraState | undefined;
  /** Tries under way. */
  looking: number;
}

export function keyFailures(clock: Clock): KeyFailures {
  const slots = new Map<number, Slot>();

  function slotOf(ip: string): Slot {
    const number = hash(networkOf(ip)) % SLOTS;
    const slot = slots.get(number) ?? { state: undefined, looking: 0 };
    slots.set(number, slot);
    return slot;
  }

  function spend(slot: Slot, cost: number): Decision {
    const { state, ...admission } = admit(slot.state, clock.now(), FAILURES, cost);
    slot.state = state;
    const { allowed, remaining, retryAfterMs, resetMs } = admission;
    return {
      ...{ allowed, remaining, limit: FAILURES.limit },
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(retryAfterMs / 1000)),
      resetSeconds: Math.ceil(resetMs / 1000),
    };
  }

  return {
    begin(ip) {
      const slot = slotOf(ip);
      // What is being looked up may fail as well: room is left for all of it.
      const isSuspect = spend(slot, 0).remaining <= slot.looking;
      slot.looking += 1;
      return {
        isSuspect,
        fail: () => spend(slot, 1),
        end: () => {
          slot.looking -= 1;
        },
      };
    },
  };
}

/** An IPv4 address as it is, also where it came as one of IPv6; of IPv6 the first 64 bits. */
export function networkOf(ip: string): string {
  const [address = ''] = ip.split('%');
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  // What `::` leaves out is as many zeros as are missing; an IPv4 ending never reaches the first half.
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  while (tail !== undefined && groups.length + last.length < 8) groups.push('0');
  const network = [...groups, ...last].slice(0, 4);
  return network.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value >>> 0;
}
