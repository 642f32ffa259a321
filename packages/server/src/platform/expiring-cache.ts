import type { Clock } from './clock.js';

/** A cache whose values are at most `ttlMs` old. Concurrent loads of a key are shared. */
export interface ExpiringCache<Value> {
  /** The value if it is fresh, synchronously. */
  peek(key: string): Value | undefined;
  get(key: string, load: () => Promise<Value>): Promise<Value>;
  forget(key: string): void;
}

interface Entry<Value> {
  readonly value: Value;
  readonly loadedAt: number;
}

export function expiringCache<Value>(
  clock: Clock,
  ttlMs: number,
  maxEntries = 10_000,
): ExpiringCache<Value> {
  const entries = new Map<string, Entry<Value>>();
  const loading = new Map<string, Promise<Value>>();

  function peek(key: string): Value | undefined {
    const entry = entries.get(key);
    const age = entry === undefined ? Infinity : clock.now() - entry.loadedAt;
    return age >= 0 && age < ttlMs ? entry?.value : undefined;
  }

  async function load(key: string, loader: () => Promise<Value>): Promise<Value> {
    // Dated before the load, so that the value is never considered fresher than it is.
    const loadedAt = clock.now();
    const value = await loader();
    if (loading.has(key)) keep(key, { value, loadedAt });
    return value;
  }

  function keep(key: string, entry: Entry<Value>): void {
    entries.delete(key);
    entries.set(key, entry);
    const oldest = entries.keys().next();
    if (entries.size > maxEntries && oldest.done !== true) entries.delete(oldest.value);
  }

  return {
    peek,
    get(key, loader) {
      const fresh = peek(key);
      if (fresh !== undefined) return Promise.resolve(fresh);
      const pending = loading.get(key);
      if (pending !== undefined) return pending;
      const promise = load(key, loader).finally(() => {
        if (loading.get(key) === promise) loading.delete(key);
      });
      loading.set(key, promise);
      return promise;
    },
    forget(key) {
      entries.delete(key);
      loading.delete(key);
    },
  };
}
