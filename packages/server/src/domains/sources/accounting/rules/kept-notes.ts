import type { SourceRecord } from './source-record.js';

/** The word of notes on records that may be edits of others. */
export const EDITED = 'edited?';

const PLACE = /^[^:\n]* line \d+: /;
const NOTE = new RegExp(`^(.*?)(: ${EDITED.replace('?', '\\?')}.*)$`);

/**
 * The notes of the poll before on records that are as they were: somebody should look at them. They move with the lines of the
 * books.
 * @param before what the poll before reported
 * @param touched the records that this poll changes
 */
export function keptNotes(
  before: string | null,
  records: readonly Pick<SourceRecord, 'where'>[],
  touched: ReadonlySet<string>,
): string[] {
  const notes = notesIn(before);
  if (notes.length === 0) return [];
  const present = new Map(records.map(({ where }) => [where.replace(PLACE, ''), where]));
  return notes.flatMap(([where, note]) => {
    const now = present.get(where.replace(PLACE, ''));
    return now === undefined || touched.has(now) ? [] : [`${now}${note}`];
  });
}

/** What a poll reported, without such notes; null if nothing is left. */
export function withoutNotes(problem: string | null): string | null {
  const left = (problem ?? '').split('\n').filter((line) => !NOTE.test(line));
  return left.join('\n') === '' ? null : left.join('\n');
}

/** Such notes, as lines. */
export function notesOf(problem: string | null): string[] {
  return notesIn(problem).map(([where, note]) => `${where}${note}`);
}

function notesIn(problem: string | null): [where: string, note: string][] {
  return (problem ?? '').split('\n').flatMap((line): [string, string][] => {
    const [, where, note] = NOTE.exec(line) ?? [];
    return where === undefined || note === undefined ? [] : [[where, note]];
  });
}
