/** PostgreSQL's classes data_corrupted and index_corrupted. */
const DAMAGED = /^XX00[12]$/;
/** undefined_file and io_error. */
const NO_FILE = /^(58P01|58030)$/;

type Place = (found: Readonly<Record<string, string | undefined>>) => string;

/** What PostgreSQL says of damaged files, and how the place is called. */
const SENTENCES: readonly (readonly [RegExp, Place])[] = [
  [
    /invalid page in block (?<page>\d+) of relation "(?<file>[^"]+)"/,
    ({ file, page }) => `page ${page} of ${file}`,
  ],
  [
    /invalid pages among blocks (?<first>\d+)\.\.(?<last>\d+) of relation "(?<file>[^"]+)"/,
    ({ file, first, last }) => `pages from ${first} to ${last} of ${file}`,
  ],
  [/control file|global\/pg_control/, () => 'the control file (global/pg_control)'],
  [
    /write-ahead log|checkpoint record|"pg_wal|WAL (directory|contains|ends)/,
    () => 'the write-ahead log (pg_wal)',
  ],
  [/status of transaction/, () => 'the state of the transactions (pg_xact)'],
  [
    /(could not (open|read|access|seek)|relation mapping)[^"]*"(?<file>(base|global|pg_\w+)\/[^"]+)"/,
    ({ file }) => `the file ${file}`,
  ],
  [/index "(?<name>[^"]+)"/, ({ name }) => `the index ${name}`],
  [/toast value \d+ in (?<name>\w+)/, ({ name }) => `the long values in ${name}`],
];

/**
 * What is damaged according to an answer of PostgreSQL: a page, a file or the write-ahead log.
 *
 * @param state the SQLSTATE of the answer
 * @returns null if the answer is no sign of damage
 * @example
 * ```ts
 * import { damagedPlace } from '@decision-ledger/embedded/damage';
 *
 * const said = 'invalid page in block 7 of relation "base/5/16466"';
 * damagedPlace(said, 'XX001'); // => 'page 7 of base/5/16466'
 * damagedPlace('division by zero', '22012'); // => null
 * ```
 */
export function damagedPlace(said: string, state: string): string | null {
  if (DAMAGED.test(state)) return placeIn(said) ?? said;
  return NO_FILE.test(state) ? placeIn(said) : null;
}

/** The same for what PostgreSQL says when it cannot start, which has no SQLSTATE. */
export function placeIn(said: string): string | null {
  for (const [sentence, place] of SENTENCES) {
    const found = sentence.exec(said);
    if (found !== null) return place(found.groups ?? {});
  }
  return null;
}
