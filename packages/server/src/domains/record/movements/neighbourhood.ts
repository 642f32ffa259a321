import type { Settings } from '@decision-ledger/contract/settings';
import type { LedgerReader } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { selectReports } from '../financial-events/index.js';
import { comparingOf, moneyOf, ratesOf, readMetadata } from '../money-signs/index.js';
import { dayOf, FARTHEST_MS, spanOf } from './rules/clock.js';
import { mayConcern } from './rules/concern.js';
import { REFERRED_MS, REPEATED_MS } from './rules/likeness.js';
import type { Day } from './rules/periods.js';
import { type MoneyKey, type Report, reportOf, searchesOf } from './rules/report.js';
import { type KeySearch, selectByKeys, selectTipped } from './store/money-keys.js';
import { type ComparedRow, selectCompared } from './store/reports.js';

/** More reports than this of one sum at a time are told apart by references alone, and more of one reference by others. */
export const CROWD = 24;
/** A reference that more reports have than this names no transaction: one has a sale and its refund in a few sources. */
const MOST_NAMED = 8;
/** A change of a report changes the pairs of those so many possibilities away. */
const REACH = 2;
/** What decides these pairs is so many further away. */
const DEPTH = 4;

/** Reports with all that may be of the same money. */
export interface Neighbourhood {
  /** The live ones, by UUID. */
  readonly reports: ReadonlyMap<string, Report>;
  /** UUIDs of the leads as stored, by report. */
  readonly leads: ReadonlyMap<string, string>;
  /** UUIDs of the live reports whose pairs may differ from those stored. */
  readonly lookedAt: readonly string[];
  /** Whether no report is of one movement with another one, or may be as far as keys say that are stored already. */
  readonly isAlone: boolean;
  readonly reader: ReportReader;
}

/** @param eventIds UUIDs of reports, deleted or not */
export async function readNeighbourhood(
  ledger: LedgerReader,
  eventIds: readonly string[],
  reader: ReportReader,
): Promise<Neighbourhood> {
  const distances = new Map(eventIds.map((id) => [id, 0]));
  let edge = [...eventIds];
  let isAlone = true;
  for (let distance = 1; edge.length > 0; distance += 1) {
    await reader.read(edge);
    if (distance > REACH + DEPTH) break;
    const mates = await selectReports(ledger, edge);
    const near = await reader.searchAround(edge);
    isAlone &&= near.length === 0 && mates.every(({ event_id, lead_id }) => event_id === lead_id);
    const next = [...near, ...mates.map(({ event_id }) => event_id)];
    edge = [...new Set(next)].filter((id) => !distances.has(id));
    for (const id of edge) distances.set(id, distance);
  }
  const reports = new Map<string, Report>();
  const leads = new Map<string, string>();
  for (const id of distances.keys()) {
    const known = reader.known.get(id);
    if (known === undefined || known.isDeleted) continue;
    reports.set(id, known.report);
    leads.set(id, known.lead);
  }
  const lookedAt = [...reports.keys()].filter((id) => (distances.get(id) ?? DEPTH) <= REACH);
  return { reports, leads, lookedAt, isAlone, reader };
}

interface Known {
  readonly report: Report;
  readonly lead: string;
  readonly day: Day;
  /** What was deleted is searched around all the same: it may have kept others apart. */
  readonly isDeleted: boolean;
}

/** Reads each report once, and the settings, while neither changes. */
export class ReportReader {
  readonly known = new Map<string, Known>();
  readonly #ledger: LedgerReader;
  #settings: Settings | undefined;
  /** Those that were read and are not known yet. */
  readonly #rows = new Map<string, ComparedRow>();
  /** How far from its recorded time the money of any report may have moved. */
  #farthest = 0;

  /** @param settings those of the ledger if none are given */
  constructor(ledger: LedgerReader, settings?: Settings) {
    this.#ledger = ledger;
    this.#settings = settings;
  }

  async readSettings(): Promise<Settings> {
    this.#settings ??= await readSettings(this.#ledger);
    return this.#settings;
  }

  /** Reports (UUIDs) as they are stored, of which none is known yet. */
  async readRows(eventIds: readonly string[]): Promise<ComparedRow[]> {
    const unread = eventIds.filter((id) => !this.#rows.has(id));
    for (const row of await selectCompared(this.#ledger, unread)) this.#rows.set(row.event_id, row);
    return eventIds.flatMap((id) => this.#rows.get(id) ?? []);
  }

  async read(eventIds: Iterable<string>): Promise<void> {
    const unknown = [...eventIds].filter((id) => !this.known.has(id));
    const rows = await this.readRows(unknown);
    if (rows.length === 0) return;
    const settings = await this.readSettings();
    const { attribution } = settings;
    const rates = ratesOf(settings);
    const profiles = [...attribution.profiles, ...attribution.default_profiles];
    this.#farthest = profiles.some(({ clock }) => clock !== undefined) ? FARTHEST_MS : 0;
    for (const row of rows) {
      const worth = rates.worth(row.amount, row.currency, row.timestamp);
      const read = { ...row, metadata: readMetadata(row.metadata) };
      const { repeats, references, clock } = comparingOf(attribution, row.source);
      const report = reportOf(read, {
        ...moneyOf(attribution, read),
        ...{ repeats, carriers: references },
        span: spanOf(clock, row.timestamp, attribution.time_zone),
        worth: worth === null ? null : Number(worth),
        customerKey: settings.analytics.customer_key,
      });
      const { lead_id: lead, is_deleted: isDeleted } = row;
      const day = dayOf(clock, row.timestamp, attribution.time_zone);
      this.known.set(row.event_id, { report, lead, day, isDeleted });
      this.#rows.delete(row.event_id);
    }
  }

  /** The reports (UUIDs) that may be of the same money as some that were read. Notes which of these are in a crowd. */
  async searchAround(eventIds: readonly string[]): Promise<string[]> {
    const searches = eventIds.flatMap((id) => {
      const known = this.known.get(id);
      if (known === undefined) return [];
      return searchesOf(known.report).map((key) => ({
        id,
        ...this.#searchOf(known.report, key),
      }));
    });
    const found = new Map<number, string[]>();
    for (const { at, event_id } of await selectByKeys(this.#ledger, searches, CROWD + 2)) {
      found.set(at, [...(found.get(at) ?? []), event_id]);
    }
    const couples: (readonly [string, string])[] = [];
    for (const [at, { id, reference, isName }] of searches.entries()) {
      const others = (found.get(at) ?? []).filter((other) => other !== id);
      if (others.length >= (isName ? MOST_NAMED : CROWD + 1)) {
        this.#setCrowded(id, { reference, isName });
      } else for (const other of others) couples.push([id, other]);
    }
    await this.read(new Set(couples.map(([, other]) => other)));
    return couples.flatMap(([id, other]) => {
      const [one, partner] = [this.known.get(id), this.known.get(other)];
      if (one === undefined || partner === undefined || partner.isDeleted) return [];
      return mayConcern(one.report, partner.report) ? [other] : [];
    });
  }

  /** The reports (UUIDs) that are in a crowd now, or in none any more, because of some that came or went. */
  async tippedBy(eventIds: readonly string[]): Promise<string[]> {
    await this.read(eventIds);
    const searches = eventIds.flatMap((id) => {
      const report = this.known.get(id)?.report;
      return report === undefined
        ? []
        : searchesOf(report).map((key) => this.#searchOf(report, key));
    });
    const changes = new Map<string, number>();
    for (const { key } of searches) changes.set(key, (changes.get(key) ?? 0) + 1);
    return selectTipped(
      this.#ledger,
      searches.map((search) => ({
        ...search,
        most: search.isName ? MOST_NAMED : CROWD + 1,
        changes: changes.get(search.key) ?? 0,
      })),
    );
  }

  /** Notes that a sum, or a reference, has a crowd around a report (UUID). */
  #setCrowded(id: string, { reference, isName }: Pick<MoneyKey, 'reference' | 'isName'>): void {
    const known = this.known.get(id);
    if (known === undefined) return;
    const without = (values: ReadonlySet<string>) =>
      new Set([...values].filter((value) => value !== reference));
    const { report } = known;
    const crowded = {
      ...report,
      names: without(report.names),
      references: isName ? report.references : without(report.references),
      isCrowded: report.isCrowded || reference === null,
    };
    this.known.set(id, { ...known, report: crowded });
  }

  /** Others may be away from their recorded times, too. */
  #searchOf({ timestamp, span }: Report, key: MoneyKey) {
    const own = Math.max(Math.abs(span.earliest), Math.abs(span.latest));
    const within = (key.reference === null ? REPEATED_MS : REFERRED_MS) + own + this.#farthest;
    return { ...key, timestamp, within } satisfies KeySearch & MoneyKey;
  }
}
