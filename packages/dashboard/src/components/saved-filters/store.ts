/** A filter that a person named. */
export interface SavedFilter {
  readonly name: string;
  /** The search parameters of the page. */
  readonly search: Readonly<Record<string, unknown>>;
}

/** The filters of a page, which this browser keeps for each ledger. */
export function readSaved(storage: Storage, ledgerId: string, page: string): SavedFilter[] {
  try {
    const value: unknown = JSON.parse(storage.getItem(nameOf(ledgerId, page)) ?? '[]');
    return Array.isArray(value) ? value.filter(isSaved) : [];
  } catch {
    return [];
  }
}

export function writeSaved(
  storage: Storage,
  ledgerId: string,
  page: string,
  filters: readonly SavedFilter[],
): void {
  storage.setItem(nameOf(ledgerId, page), JSON.stringify(filters));
}

function nameOf(ledgerId: string, page: string): string {
  return `decision-ledger.filters.${ledgerId}.${page}`;
}

function isSaved(value: unknown): value is SavedFilter {
  if (typeof value !== 'object' || value === null) return false;
  const search: unknown = Reflect.get(value, 'search');
  return (
    typeof Reflect.get(value, 'name') === 'string' && typeof search === 'object' && search !== null
  );
}
