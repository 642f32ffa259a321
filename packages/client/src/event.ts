/** An event of the stream. The content of `data` depends on `type`. */
export interface LedgerEvent {
  readonly id: string;
  readonly type: string;
  readonly mode: 'live' | 'test';
  /** RFC 3339. */
  readonly time: string;
  readonly seq: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Parses a text frame; null if it is not an event of this service. */
export function readEvent(data: unknown): LedgerEvent | null {
  if (typeof data !== 'string') return null;
  try {
    const value: unknown = JSON.parse(data);
    return isEvent(value) ? value : null;
  } catch {
    return null;
  }
}

function isEvent(value: unknown): value is LedgerEvent {
  if (typeof value !== 'object' || value === null) return false;
  const field = (name: string): unknown => Reflect.get(value, name);
  const seq = field('seq');
  return (
    typeof field('id') === 'string' &&
    typeof field('type') === 'string' &&
    typeof field('time') === 'string' &&
    (field('mode') === 'live' || field('mode') === 'test') &&
    (seq === null || typeof seq === 'number') &&
    typeof field('data') === 'object' &&
    field('data') !== null
  );
}
