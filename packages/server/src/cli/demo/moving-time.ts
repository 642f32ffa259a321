import type { Clock } from '../../platform/clock.js';

/** A time that its owner moves forward, for the service and for its database. */
export interface MovingTime extends Clock {
  /** The time as the engine's thread reads it. */
  readonly shared: SharedArrayBuffer;
  /** Moves to this time (ms); never back. */
  moveTo(ms: number): void;
}

export function movingTime(start: number): MovingTime {
  const shared = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  const time = new BigInt64Array(shared);
  const now = () => Number(Atomics.load(time, 0));
  const moveTo = (ms: number) => {
    Atomics.store(time, 0, BigInt(Math.max(now(), Math.round(ms))));
  };
  moveTo(start);
  return { shared, now, moveTo };
}
