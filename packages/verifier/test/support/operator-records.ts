import type { Draft } from './bundle.js';
import { editLines, editRows } from './edit.js';
import type { Row } from './story.js';

/** What an operator who has all keys changes and signs. */
export type Attack = readonly [
  about: string,
  /** Integrity, completeness, and a finding. */
  verdicts: string,
  change: (draft: Draft) => Draft,
];

export const swap = <Item>(items: Item[], one: number, other: number): Item[] => {
  const swapped = [...items];
  [swapped[one], swapped[other]] = [items[other] as Item, items[one] as Item];
  return swapped;
};

/** Lines of disclosed times: their places in the file. */
const timesIn = (lines: readonly string[]) =>
  lines.flatMap((line, at) => (line.includes('","when",{') ? [at] : []));

export const lines = (name: string, change: (all: string[]) => string[]) => (draft: Draft) =>
  editLines(draft, name, change);
const rows = (name: string, change: (all: Row[]) => Row[]) => (draft: Draft) =>
  editRows(draft, name, change);
const with_ = (row: Row | undefined, changes: Row): Row => ({ ...row, ...changes });

/** Changes of records and of what is disclosed about them. */
export const RECORD_ATTACKS: readonly Attack[] = [
  [
    'two links exchange their events',
    'fail unproven activity_differs',
    rows('links.json', ([one, other, ...rest]) => [
      with_(one, { financial_event_id: other?.financial_event_id ?? '' }),
      with_(other, { financial_event_id: one?.financial_event_id ?? '' }),
      ...rest,
    ]),
  ],
  [
    'two links exchange their decisions',
    'fail unproven activity_differs',
    rows('links.json', ([one, other, ...rest]) => [
      with_(one, { decision_id: other?.decision_id ?? '' }),
      with_(other, { decision_id: one?.decision_id ?? '' }),
      ...rest,
    ]),
  ],
  [
    'two events exchange their ids',
    'fail unproven activity_unrecorded',
    rows('events.json', ([one, other, ...rest]) => [
      with_(one, { id: other?.id ?? '' }),
      with_(other, { id: one?.id ?? '' }),
      ...rest,
    ]),
  ],
  [
    'an event is listed twice',
    'fail unproven record_order',
    rows('events.json', ([one, ...rest]) => [with_(one, {}), with_(one, {}), ...rest]),
  ],
  [
    'a link is listed twice',
    'fail unproven record_order',
    rows('links.json', ([one, ...rest]) => [with_(one, {}), with_(one, {}), ...rest]),
  ],
  [
    'decisions are not in order',
    'fail unproven record_order',
    rows('decisions.json', (all) => swap(all, 0, 1)),
  ],
  [
    'a decision is listed twice',
    'fail fail record_duplicate',
    rows('decisions.json', ([one, ...rest]) => [with_(one, {}), with_(one, {}), ...rest]),
  ],
  [
    'a value is said to be erased',
    'fail unproven commitment_missing',
    rows('decisions.json', ([one, ...rest]) => {
      const { inputs: _, ...row } = with_(one, { erased_fields: ['inputs'] });
      return [row, ...rest];
    }),
  ],
  [
    'times of two entries are exchanged',
    'fail unproven disclosure_differs',
    lines('activity.ndjson', (all) => {
      const [one = 0, other = 0] = timesIn(all).slice(1);
      return swap(all, one, other);
    }),
  ],
  [
    'a time is moved out of the range',
    'fail unproven disclosure_differs',
    lines('activity.ndjson', (all) =>
      all.map((line) =>
        line.includes('","when",{') ? line.replaceAll('2026-02', '2025-02') : line,
      ),
    ),
  ],
  [
    'times are disclosed twice',
    'fail unproven disclosure_differs',
    lines('activity.ndjson', (all) => {
      const [at = 0] = timesIn(all);
      return [...all.slice(0, at), all[at] ?? '', ...all.slice(at)];
    }),
  ],
  [
    'times are withheld',
    'fail unproven disclosure_missing',
    lines('activity.ndjson', (all) => {
      const [at = 0] = timesIn(all);
      return all.filter((_, place) => place !== at);
    }),
  ],
  [
    'data of another entry are disclosed',
    'fail unproven disclosure_differs',
    lines('activity.ndjson', (all) => {
      const data = all.flatMap((line, at) => (line.includes('","data",{') ? [at] : []));
      return swap(all, data[0] ?? 0, data[1] ?? 0);
    }),
  ],
];
