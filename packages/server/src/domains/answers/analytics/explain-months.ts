import {
  type CauseRecord,
  Counted,
  type Explanation,
  type MonthBooks,
} from '@decision-ledger/contract/analytics-months';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { selectLaterChanges } from '../../log/activity/index.js';
import {
  type ChangedEvent,
  type FormerCounts,
  selectChangedEvents,
  selectFormerCounts,
} from '../../record/financial-events/index.js';
import { readConversion } from './consistent.js';
import { type MoneyChange, Reasons } from './rules/explain.js';
import { groupBy } from './rules/groups.js';
import { spanOfMonth } from './rules/periods.js';
import { type ExplainedEvent, selectExplained } from './store/explained.js';

/** Events that are read together. */
const STEP = 250;
/** Records of a cause, and of settings, that are shown. */
const MOST_RECORDS = 5;
const MOST_SETTINGS = 20;

/** Changes of what no record of an event or a link explains. */
const SETTINGS: readonly string[] = ['settings.changed', 'derived.rebuilt'];

/** The figures of a month as published last, and now. */
export interface ChangedMonth {
  readonly month: string;
  readonly before: MonthBooks;
  readonly after: MonthBooks;
  /** The last record of the activity chain when they were published. */
  readonly since: number;
}

/** Why the figures of a month changed, by the records since they were published. The reader sees one state. */
export async function explainMonth(
  snapshot: LedgerReader,
  { month, before, after, since }: ChangedMonth,
): Promise<Explanation> {
  const span = { ...spanOfMonth(month), since };
  const conversion = await readConversion(snapshot);
  const reasons = new Reasons();
  for (let last: ChangedEvent | null = null, isMore = true; isMore; ) {
    const events: ChangedEvent[] = await selectChangedEvents(snapshot, span, last, STEP);
    const explained = await selectExplained(
      snapshot,
      conversion,
      events.map(({ event_id }) => event_id),
    );
    const former = groupBy(
      await selectFormerCounts(snapshot, events, since),
      ({ event_id }) => event_id,
    );
    const records = await readRecords(snapshot, explained, former, since);
    for (const event of explained) {
      for (const change of changesOf(event, former.get(event.event_id) ?? [], records)) {
        reasons.add(change);
      }
    }
    last = events.at(-1) ?? last;
    isMore = events.length === STEP;
  }
  return reasons.explain(await readSettingsRecords(snapshot, since), before, after);
}

type Change = Awaited<ReturnType<typeof selectLaterChanges>>[number];

/** The records about some events and their links since they were published, by subject, and by place. */
interface Records {
  readonly bySubject: ReadonlyMap<string, readonly Change[]>;
  readonly bySeq: ReadonlyMap<number, Change>;
}

async function readRecords(
  snapshot: LedgerReader,
  events: readonly ExplainedEvent[],
  former: ReadonlyMap<string, readonly FormerCounts[]>,
  since: number,
): Promise<Records> {
  const seqs = [...former.values()].flat().map(({ activity_seq }) => activity_seq);
  const all = await selectLaterChanges(snapshot, events.flatMap(subjectsOf), {
    ...{ after: since, seqs: [...new Set(seqs)] },
  });
  const bySeq = new Map(all.map((change) => [change.seq, change]));
  return { bySubject: groupBy(all, ({ subject }) => subject), bySeq };
}

function subjectsOf({ event_id, link_ids }: ExplainedEvent): string[] {
  return [uuidToId('evt', event_id), ...link_ids.map((id) => uuidToId('lnk', id))];
}

/** The changes of an event in their order. The first one may be that it was recorded. */
function changesOf(
  event: ExplainedEvent,
  former: readonly FormerCounts[],
  { bySubject, bySeq }: Records,
): MoneyChange[] {
  const own = subjectsOf(event).flatMap((subject) => bySubject.get(subject) ?? []);
  const recorded = own.find(({ type }) => type === 'financial_event.recorded');
  const states = [
    ...(recorded === undefined ? [] : [{ until: recorded.seq, counts: null }]),
    ...former.map((row) => ({ until: row.activity_seq, counts: countsOf(row) })),
  ];
  const now = countsOf(event);
  return states.map(({ until, counts }, at) => {
    const from = states[at - 1]?.until ?? 0;
    const said = own.filter(({ seq, type }) => seq > from && seq <= until && isCause(type));
    const last = bySeq.get(until);
    const records = said.length > 0 || last === undefined ? said : [last];
    const next = states[at + 1];
    return {
      financial_event_id: uuidToId('evt', event.event_id),
      timestamp: formatTimestamp(event.at),
      ...{ currency: event.currency, rate: event.rate },
      ...{ before: counts, after: next === undefined ? now : next.counts },
      records: records.sort(byRank).slice(0, MOST_RECORDS).map(recordOf),
    };
  });
}

const checkLinks = checker(Counted.properties.links, 'links');

function countsOf({ counted_amount, links }: Pick<FormerCounts, 'counted_amount' | 'links'>) {
  return { counted_amount, links: checkLinks(parseJson(links)) };
}

/** What says most of why an event counts otherwise comes first. */
const RANKS = ['financial_event.', 'movement.', 'link.confirmed', 'link.rejected', 'link.created'];

function rankOf(type: string): number {
  const rank = RANKS.findIndex((start) => type.startsWith(start));
  return rank === -1 ? RANKS.length : rank;
}

const byRank = (one: Change, other: Change) =>
  rankOf(one.type) - rankOf(other.type) || other.seq - one.seq;

/** What a person said of the causes of an event is recorded again of each link. */
const isCause = (type: string): boolean => type !== 'financial_event.reviewed';

async function readSettingsRecords(snapshot: LedgerReader, since: number): Promise<CauseRecord[]> {
  const ledger = uuidToId('led', snapshot.ledgerId);
  const changes = await selectLaterChanges(snapshot, [ledger], { after: since, seqs: [] });
  const settings = changes.filter(({ type }) => SETTINGS.includes(type));
  return settings.slice(-MOST_SETTINGS).map(recordOf);
}

function recordOf({ seq, type, actor, at, subject, data }: Change): CauseRecord {
  const isPairing = type.startsWith('movement.');
  const text = (name: string) => (isPairing ? (data.get(name)?.slice(1, -1) ?? null) : null);
  const payment = data.get('inherited_from')?.slice(1, -1) ?? null;
  return {
    ...{ activity_seq: seq, type, actor, created_at: at, subject },
    ...{ by: text('by'), rule: text('rule'), lead: text('lead') },
    other: text('with') ?? text('from') ?? text('withdrawn') ?? payment,
  };
}
