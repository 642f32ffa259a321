import type { JsonValue } from '@decision-ledger/proof/gate';
import { arrayText, type Draft } from './bundle.js';
import type { Json, Row, Story } from './story.js';

/** Changes a text file of a draft. */
export function editText(draft: Draft, name: string, change: (text: string) => string): Draft {
  const before = String(draft.files.get(name));
  const after = change(before);
  if (after === before) throw new Error(`the change of ${name} changes nothing`);
  draft.files.set(name, Buffer.from(after));
  return draft;
}

/** Changes the records of an array. */
export function editRows(
  draft: Draft,
  name: string,
  change: (rows: Row[]) => Row[] | undefined,
): Draft {
  return editText(draft, name, (text) => {
    const rows: Row[] = JSON.parse(text);
    return arrayText(change(rows) ?? rows);
  });
}

/** Changes the lines of a file, each of which ends in a line feed. */
export function editLines(
  draft: Draft,
  name: string,
  change: (lines: string[]) => string[] | undefined,
): Draft {
  return editText(draft, name, (text) => {
    const lines = text.split('\n').slice(0, -1);
    return [...(change(lines) ?? lines), ''].join('\n');
  });
}

/** Values by path, such as `keys.0.name`; undefined removes the member. */
type Changes = { readonly [path: string]: JsonValue | undefined };

/** Changes a file that is one JSON object. */
export function editObject(draft: Draft, name: string, changes: Changes): Draft {
  return editText(draft, name, (text) => JSON.stringify(changed(JSON.parse(text), changes)));
}

export function editManifest(draft: Draft, changes: Changes): Draft {
  return { ...draft, manifest: changed(draft.manifest, changes) };
}

function changed(object: Json, changes: Changes): Json {
  return Object.entries(changes).reduce<Json>((before, [path, value]) => {
    return objectOf(put(before, path.split('.'), value));
  }, object);
}

function put(
  target: JsonValue | undefined,
  path: readonly string[],
  value: JsonValue | undefined,
): JsonValue | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(target)) {
    return target.map((item, index) =>
      String(index) === name ? (put(item, rest, value) ?? null) : item,
    );
  }
  const { [name]: before, ...others } = objectOf(target);
  const after = put(before, rest, value);
  return after === undefined ? others : { ...others, [name]: after };
}

function objectOf(value: JsonValue | undefined): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('no object');
  return value;
}

/** A record of activity.ndjson with what the bundle discloses of it. */
export interface DisclosedRecord {
  readonly type: string;
  readonly subject: string;
  readonly entry: string;
  when: string | null;
  data: string | null;
}

/** Changes what a bundle discloses of the records of its activity. */
export function editActivity(draft: Draft, change: (records: DisclosedRecord[]) => void): Draft {
  return editLines(draft, 'activity.ndjson', ([genesis = '', ...lines]) => {
    const records: DisclosedRecord[] = [];
    for (const line of lines) {
      const record = records.at(-1);
      if (line.startsWith('{')) {
        const { type, subject } = JSON.parse(line);
        records.push({ type, subject, entry: line, when: null, data: null });
      } else if (record !== undefined) record[line.includes('","when",') ? 'when' : 'data'] = line;
    }
    change(records);
    const texts = records.flatMap(({ entry, when, data }) => [entry, when, data]);
    return [genesis, ...texts.filter((text) => text !== null)];
  });
}

/** Discloses the activity of an event or a link, which the bundle may do already. */
export function disclose(draft: Draft, story: Story, id: string): Draft {
  const known = new Map(story.activity.map(({ entry, disclosure }) => [entry, disclosure]));
  return editActivity(draft, (records) => {
    for (const record of records) {
      if (record.subject === id) record.data = known.get(record.entry) ?? null;
    }
  });
}

/** Removes events and links, and the data of their activity. */
export function withhold(draft: Draft, ids: readonly string[]): Draft {
  const isOf = (line: string) => ids.includes(JSON.parse(line).subject);
  for (const name of ['events.json', 'links.json']) {
    if (ids.some((id) => String(draft.files.get(name)).includes(`"id":"${id}"`))) {
      editRows(draft, name, (rows) => rows.filter(({ id }) => !ids.includes(String(id))));
    }
  }
  return editLines(draft, 'activity.ndjson', (lines) => {
    let isHidden = false;
    return lines.filter((line) => {
      if (line.startsWith('{')) isHidden = isOf(line);
      return !(isHidden && line.startsWith('[') && line.includes('","data",'));
    });
  });
}
