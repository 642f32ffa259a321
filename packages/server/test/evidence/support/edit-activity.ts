import type { Downloaded } from '../../support/exports.js';
import type { Forgery } from './forge.js';

/** A record of activity.ndjson with what the bundle discloses of it. */
export interface ActivityLine {
  readonly seq: number;
  readonly type: string;
  readonly subject: string;
  /** Lines: the entry or its hash, then what is disclosed of it. */
  entry: string;
  when: string | null;
  data: string | null;
}

const FILE = 'activity.ndjson';

/** Changes what a bundle discloses of its activity. */
export function editActivity(forgery: Forgery, change: (line: ActivityLine) => void): void {
  const [genesis = '', ...lines] = (forgery.files.get(FILE) ?? '').trimEnd().split('\n');
  const records: ActivityLine[] = [];
  for (const line of lines) {
    const record = records.at(-1);
    if (!line.startsWith('[')) {
      const { seq = (record?.seq ?? 0) + 1, type = '', subject = '' } = Object(JSON.parse(line));
      records.push({ seq, type, subject, entry: line, when: null, data: null });
    } else if (record !== undefined) {
      if (line.includes('","when",')) record.when = line;
      else record.data = line;
    }
  }
  for (const record of records) change(record);
  const texts = records.flatMap(({ entry, when, data }) => [entry, when, data]);
  const all = [genesis, ...texts.filter((text) => text !== null)];
  forgery.files.set(FILE, `${all.join('\n')}\n`);
}

/** Changes the records of events.json or links.json. */
export function editRecords(
  { files }: Forgery,
  name: 'events.json' | 'links.json',
  change: (rows: Row[]) => Row[],
): void {
  const rows = change(JSON.parse(files.get(name) ?? ''));
  const lines = rows.map((row) => JSON.stringify(row)).join(',\n');
  files.set(name, rows.length === 0 ? '[\n]\n' : `[\n${lines}\n]\n`);
}

export type Row = Record<string, unknown> & { readonly id: string };

/** The hashes of records of the activity, by seq, as another bundle of the same chain has them. */
export function hashesOf({ files }: Pick<Downloaded, 'files'>): ReadonlyMap<number, string> {
  const lines = String(files.get(FILE)).trimEnd().split('\n');
  const entries = lines.filter((line) => line.startsWith('{')).slice(1);
  return new Map(
    entries.map((line): [number, string] => {
      const { seq, prev_hash } = JSON.parse(line);
      return [seq - 1, prev_hash];
    }),
  );
}
