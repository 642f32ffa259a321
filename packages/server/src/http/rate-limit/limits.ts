import type { Settings } from '@decision-ledger/contract/settings';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database.js';
import type { Scope } from '../../platform/principal.js';
import type { Bucket } from '../types.js';
import { type HandshakeLimiter, handshakeLimiter } from './handshakes.js';
import { type KeyFailures, keyFailures } from './key-failures.js';
import { createLeaseStore } from './lease-store.js';
import { createLeasedLimiter } from './leased-limiter.js';
import { createMemoryLimiter, type Limiter } from './limiter.js';

export interface LimitOptions {
  readonly clock: Clock;
  readonly db: Database;
  /** Whether other processes serve the same organisations. */
  readonly isShared: boolean;
  readonly settings: { get(scope: Scope): Promise<Settings> };
  readonly onRateLimited: (bucket: Bucket | 'handshake' | 'key_failures') => void;
}

/** What limits requests: per organisation, per address, and by failed keys. */
export interface Limits extends Pick<LimitOptions, 'settings' | 'onRateLimited'> {
  readonly handshakes: HandshakeLimiter;
  readonly failures: KeyFailures;
  readonly limiter: Limiter;
}

export function openLimits({ clock, db, isShared, settings, onRateLimited }: LimitOptions): Limits {
  return {
    settings,
    onRateLimited,
    handshakes: handshakeLimiter(clock),
    failures: keyFailures(clock),
    limiter: isShared
      ? createLeasedLimiter(clock, createLeaseStore(db))
      : createMemoryLimiter(clock),
  };
}
