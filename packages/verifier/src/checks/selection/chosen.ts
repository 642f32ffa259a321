import type { ChainPoint, RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import {
  matchesFilter,
  readWithheldLine,
  type Selection,
} from '@decision-ledger/proof/bundle/selection';
import type { Shape } from '@decision-ledger/proof/bundle/shape';
import type { LineReader } from '../../archive/lines.js';
import type { Findings } from '../../report/findings.js';
import { type ActivityFacts, type Change, unpack } from '../activity-facts.js';
import type { DecisionRecord } from '../decision-record.js';
import type { Files } from '../files.js';
import { Run } from '../run.js';

/** The bundle and the selection that its manifest states. */
interface Stated {
  readonly manifest: RecordsManifest;
  readonly selection: Selection;
  readonly findings: Findings;
}

/** Checks that a bundle shows what its filter chooses, and nothing else. */
export class Chosen {
  /** Ids of the decisions that it shows. */
  readonly decisions = new Set<string>();
  readonly #stated: Stated;
  readonly #shownEvents = new Set<string>();
  readonly #linkedEvents = new Set<string>();
  /** Events that report the same money, together. */
  readonly #movements: (readonly string[])[] = [];
  /** Events that must be shown, with the link that says so. */
  readonly #dueEvents = new Map<string, string>();

  constructor(stated: Stated) {
    this.#stated = stated;
  }

  decision({ columns, fields }: DecisionRecord): void {
    const { seq, decision_id: id } = columns;
    this.decisions.add(id);
    const metadata = fields.find(({ name }) => name === 'metadata')?.value ?? null;
    if (matchesFilter(this.#stated.selection.filter, columns, metadata)) return;
    this.#fail('decisions.json', { seq, id }, 'The decision does not match the filter.');
  }

  event(record: Shape): void {
    this.#shownEvents.add(record.text('id'));
  }

  /** An event that reports the same money as a linked one is shown with it. */
  movement(reports: readonly string[]): void {
    this.#movements.push(reports);
  }

  /** A link of another decision, or one that nobody confirmed, would show what was not asked for. */
  link(record: Shape, activity: ActivityFacts): void {
    const id = record.text('id');
    const event = record.text('financial_event_id');
    this.#linkedEvents.add(event);
    if (!this.decisions.has(record.text('decision_id'))) {
      this.#fail('links.json', { id }, 'The link is of a decision that the bundle does not show.');
    }
    const seen = record.count('activity_seq');
    const changes = activity.links.get(id)?.changes.filter(({ seq }) => seq <= seen) ?? [];
    if (!isConfirmed(record.text('status'), changes)) {
      this.#fail('links.json', { id }, 'The link is not a confirmed one.');
    }
    const { since } = this.#stated.manifest.activity;
    const isSettled = (activity.links.get(id)?.changes.at(-1)?.seq ?? since) <= since;
    if (isSettled && record.optTime('deleted_at') === null) this.#dueEvents.set(event, id);
  }

  /** Once all records are read. */
  endRecords(): void {
    for (const reports of this.#movements) {
      if (!reports.some((id) => this.#linkedEvents.has(id))) continue;
      for (const id of reports) this.#linkedEvents.add(id);
    }
    for (const id of this.#shownEvents) {
      if (this.#linkedEvents.has(id)) continue;
      const message = 'No link of the bundle connects the event with a decision of it.';
      this.#fail('events.json', { id }, message);
    }
    for (const [id, link] of this.#dueEvents) {
      if (this.#shownEvents.has(id)) continue;
      const message = `The event of the link ${link} is not in events.json.`;
      const finding = { code: 'event_missing', file: 'events.json', id, message } as const;
      this.#stated.findings.fail('completeness', finding);
    }
  }

  /** Compares the counts of the manifest with what the bundle shows. */
  endCounts(run: Run, withheld: Withheld, activity: ActivityFacts): void {
    const { manifest, selection } = this.#stated;
    const { count } = manifest.decisions;
    this.#count('withheld', selection.withheld === withheld.count, withheld.count);
    if (run.count !== count + withheld.count) {
      const message = `The run has ${run.count} entries; ${count} decisions are shown and ${withheld.count} withheld.`;
      this.#differs('entries.ndjson', message);
    }
    const most = count + withheld.count;
    const isPossible = count + selection.erased <= selection.in_range && selection.in_range <= most;
    this.#count('in_range', isPossible, `from ${count + selection.erased} to ${most}`);
    const { withheldErasures: erased } = activity;
    this.#count('erased', selection.erased === erased, erased);
  }

  #count(name: 'withheld' | 'in_range' | 'erased', isRight: boolean, due: number | string): void {
    if (isRight) return;
    const stated = this.#stated.selection[name];
    const message = `selection.${name} is ${stated}; the bundle says ${due}.`;
    this.#differs('manifest.json', message);
  }

  #differs(file: string, message: string): void {
    this.#stated.findings.fail('integrity', { code: 'count_differs', file, message });
  }

  #fail(file: string, at: { seq?: number; id?: string }, message: string): void {
    this.#stated.findings.fail('selection', { code: 'record_unchosen', file, ...at, message });
  }
}

/** Whether people made or confirmed a link, or the links of the payment that it is taken from. */
function isConfirmed(status: string, changes: readonly Change[]): boolean {
  if (status === 'CONFIRMED' || status === 'ML_INFERRED') return true;
  const made = changes.findLast(({ type }) => type === 'link.inherited');
  const isOfPeople = made !== undefined && unpack(made).get('label') === '"confirmed"';
  return status === 'INHERITED' && isOfPeople;
}

const WITHHELD = 'withheld.ndjson';

/** The decisions of a run that are shown as hashes alone, in the order of the chain. */
export class Withheld implements LineReader {
  readonly run = new Run();
  /** Lines of the file. */
  count = 0;
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  async read(files: Files): Promise<void> {
    await files.lines(WITHHELD, this);
  }

  line(text: string, number: number): void {
    const entry = readWithheldLine(text);
    this.count++;
    if (entry === null) {
      this.problem('is not a seq and a hash', number);
    } else if (entry.seq <= (this.run.last?.seq ?? 0)) {
      const message = `Line ${number} names seq ${entry.seq} after seq ${this.run.last?.seq}.`;
      this.#fail('record_order', message);
    } else {
      this.run.withhold(entry);
    }
  }

  problem(message: string, number: number): void {
    this.#fail('line_unreadable', `Line ${number} ${message}.`);
  }

  /** Those with a seq below another one, from a place in the file on. */
  *between(from: number, before: number): Generator<ChainPoint> {
    for (let at = from; at < this.run.count; at++) {
      const point = this.run.at(at);
      if (point.seq >= before) return;
      yield point;
    }
  }

  #fail(code: 'record_order' | 'line_unreadable', message: string): void {
    this.#findings.fail('integrity', { code, file: WITHHELD, message });
  }
}
