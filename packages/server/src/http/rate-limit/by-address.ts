import { isIPv6 } from 'node:net';
import type { Clock } from '../../platform/clock.js';
import { admit, type Decision, type GcraState, IdleSweptMap } from './limiter.js';

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

/** Failed attempts that an address may make. */
const FAILURES = { limit: 30, periodMs: 60_000, burst: 30 };
/** Addresses share these slots by hash, which bounds the memory. */
const SLOTS = 4096;

/** An authentication attempt of an address, begun before its key is looked up. */
export interface Attempt {
  /** Whether the address has failed too often, or could with its pending attempts. */
  readonly isSuspect: boolean;
  /** Records a failure. @returns a refusal if the address has failed too often */
  fail(): Decision;
  /** Ends the attempt. Called once, after success or failure. */
  end(): void;
}

/**
 * Counts failed attempts per address in the memory of this process: 30 a minute. Valid keys are never
 * refused for them. IPv6 addresses count by their /64 network.
 */
export interface KeyFailures {
  begin(ip: string): Attempt;
}

interface Slot {
  state: GcraState | undefined;
  /** Pending attempts. */
  pending: number;
}

export function keyFailures(clock: Clock): KeyFailures {
  const slots = new Map<number, Slot>();

  function slotOf(ip: string): Slot {
    const number = hash(networkOf(ip)) % SLOTS;
    const slot = slots.get(number) ?? { state: undefined, pending: 0 };
    slots.set(number, slot);
    return slot;
  }

  function spend(slot: Slot, cost: number): Decision {
    const { state, ...admission } = admit(slot.state, clock.now(), FAILURES, cost);
    slot.state = state;
    const { allowed, remaining, retryAfterMs, resetMs } = admission;
    return {
      allowed,
      remaining,
      limit: FAILURES.limit,
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(retryAfterMs / 1000)),
      resetSeconds: Math.ceil(resetMs / 1000),
    };
  }

  return {
    begin(ip) {
      const slot = slotOf(ip);
      // Pending attempts may fail as well, so they are counted as failures.
      const isSuspect = spend(slot, 0).remaining <= slot.pending;
      slot.pending += 1;
      return {
        isSuspect,
        fail: () => spend(slot, 1),
        end: () => {
          slot.pending -= 1;
        },
      };
    },
  };
}

/** IPv4 addresses unchanged, also when mapped to IPv6; the first 64 bits of IPv6 addresses. */
export function networkOf(ip: string): string {
  const [address = ''] = ip.split('%');
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  // `::` stands for the missing zero groups; an IPv4 suffix never reaches the first half.
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
