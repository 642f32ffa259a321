import { MOST_METADATA_BYTES } from '@decision-ledger/proof/reversal';
import { mapInTurns } from '../../../platform/in-turns.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { toRelated } from './relations.js';
import {
  isReversalOf,
  type RelatedMovement,
  type RelatedReport,
  reversalsOf,
} from './rules/relations.js';
import {
  type Naming,
  selectMoved,
  selectNamedLeads,
  selectNamingLeads,
} from './store/relations.js';

/** Reports of one reference that are looked at. */
export const MOST_NAMED = 10_000;

interface KnownReport {
  readonly report: RelatedReport;
  readonly isDeleted: boolean;
  readonly isInheriting: boolean;
}

/** What movements reverse, while no movement changes: each is read once. */
export class ReversalReader {
  readonly #ledger: LedgerReader;
  /** The reports of movements, by the report (UUID) that leads. */
  readonly #known = new Map<string, KnownReport[]>();

  constructor(ledger: LedgerReader) {
    this.#ledger = ledger;
  }

  /** The leads (UUIDs) of the movements of some events (UUIDs). */
  readLeads(eventIds: readonly string[]): Promise<string[]> {
    return this.#readMoved(eventIds);
  }

  /** All reports (UUIDs) of a movement that was read, deleted or not, by the one that leads. */
  reportsOf(lead: string): string[] {
    return (this.#known.get(lead) ?? []).map(({ report }) => report.event_id);
  }

  /** Whether a movement that was read has a link that was taken from a payment. */
  isInheriting(lead: string): boolean {
    return this.#known.get(lead)?.some(({ isInheriting }) => isInheriting) === true;
  }

  /**
   * The movements that movements reverse, where their reports mean exactly one: leads (UUIDs) by leads. What a report reverses
   * follows from the reports alone, in whatever order they were recorded.
   */
  async readReversed(leads: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const movements = await this.#readLive(leads);
    const names = movements.flatMap(({ reports }) =>
      reports.flatMap((report) =>
        reversalsOf(report).map(({ reference }) => ({ source: report.source, reference })),
      ),
    );
    if (names.length === 0) return new Map();
    const others = await this.#readLive(
      await selectNamedLeads(this.#ledger, distinct(names), MOST_NAMED),
    );
    return new Map(
      movements.flatMap((movement) => {
        const meant = others.filter((other) => isReversalOf(movement, other));
        const [only] = meant;
        return only === undefined || meant.length > 1 ? [] : [[movement.lead, only.lead] as const];
      }),
    );
  }

  /** The leads (UUIDs) of the movements that say that they reverse one of some movements, or a deleted report of these. */
  async readReversing(leads: readonly string[]): Promise<readonly string[]> {
    const movements = await this.#read(leads, () => true);
    const names = movements.flatMap(({ reports }) =>
      reports.flatMap(({ source, external_id: reference }) =>
        reference === null ? [] : [{ source, reference }],
      ),
    );
    if (names.length === 0) return [];
    const others = await this.#readLive(
      await selectNamingLeads(this.#ledger, distinct(names), MOST_NAMED),
    );
    return others
      .filter((other) => movements.some((movement) => isReversalOf(other, movement)))
      .map(({ lead }) => lead);
  }

  /** @returns the leads of the movements of some events, none of which is known */
  async #readMoved(eventIds: readonly string[]): Promise<string[]> {
    const found = new Map<string, KnownReport[]>();
    const rows = await selectMoved(this.#ledger, eventIds, MOST_METADATA_BYTES);
    await mapInTurns(rows, ({ is_deleted: isDeleted, is_inheriting: isInheriting, ...row }) => {
      const known = { report: toRelated(row), isDeleted, isInheriting };
      const reports = found.get(row.lead_id);
      if (reports === undefined) found.set(row.lead_id, [known]);
      else reports.push(known);
    });
    for (const [lead, reports] of found) this.#known.set(lead, reports);
    return [...found.keys()];
  }

  #readLive(leads: readonly string[]): Promise<RelatedMovement[]> {
    return this.#read(leads, ({ isDeleted }) => !isDeleted);
  }

  /** Movements with some of their reports, in the order of the first ones; none without any. */
  async #read(
    leads: readonly string[],
    isWanted: (known: KnownReport) => boolean,
  ): Promise<RelatedMovement[]> {
    await this.#readMoved(leads.filter((lead) => !this.#known.has(lead)));
    const movements = [...new Set(leads)].flatMap((lead) => {
      const reports = (this.#known.get(lead) ?? []).filter(isWanted).map(({ report }) => report);
      const [first] = reports;
      return first === undefined ? [] : [{ first: first.event_id, lead, reports }];
    });
    return movements
      .sort((one, other) => (one.first < other.first ? -1 : 1))
      .map(({ lead, reports }) => ({ lead, reports }));
  }
}

function distinct(names: readonly Naming[]): Naming[] {
  return [
    ...new Map(names.map((name) => [JSON.stringify([name.source, name.reference]), name])).values(),
  ];
}
