import { commitmentOf, parseDisclosure } from '@decision-ledger/proof/commitment';
import { ACTIVITY_TYPE, type ActivityEntry } from '@decision-ledger/proof/entry';
import { reason } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import { ActivityFacts } from './activity-facts.js';
import { ChainLines, type Linked } from './chain-lines.js';
import { shown, shownFirst } from './entries.js';
import type { Files } from './files.js';
import type { Manifest } from './manifest.js';
import { readJson, Shape } from './shape.js';

const ACTIVITY = 'activity.ndjson';

/**
 * Walks the chain of activity and keeps what it says about decisions, events and links.
 * @param watched place in the chain whose hash is to be told, for the sake of an earlier bundle
 */
export async function checkActivity(
  files: Files,
  manifest: Manifest,
  findings: Findings,
  watched: number | null,
): Promise<ActivityFacts> {
  const facts = new ActivityFacts(watched);
  const options = { file: ACTIVITY, chain: 'activity', manifest, findings } as const;
  const lines = new ActivityLines(options, facts);
  await files.lines(ACTIVITY, lines);
  lines.end();
  return facts;
}

class ActivityLines extends ChainLines<ActivityEntry> {
  readonly #facts: ActivityFacts;
  /** The entry whose disclosure may follow. */
  #open: Linked<ActivityEntry> | null = null;

  constructor(options: ConstructorParameters<typeof ChainLines>[0], facts: ActivityFacts) {
    super(options);
    this.#facts = facts;
  }

  /** Compares the ends with those of the manifest. */
  end(): void {
    this.#close(null);
    const { first, last } = this.manifest.activity ?? { first: null, last: null };
    const isSame =
      this.first?.seq === first?.seq &&
      this.first?.hash === first?.hash &&
      this.first?.prevHash === first?.prevHash &&
      this.last?.seq === last?.seq &&
      this.last?.hash === last?.hash;
    const since = this.manifest.activity?.since ?? 0;
    if (since > (this.last?.seq ?? 0)) {
      const message = `The export began at seq ${since}, and the chain of activity ends at ${this.last?.seq ?? 0}.`;
      this.fail('activity_ends', message, {}, 'completeness');
    }
    if (!isSame) {
      const message = `The chain of activity goes from ${shownFirst(this.first)} to ${shown(this.last)}; the manifest names ${shownFirst(first)} and ${shown(last)}.`;
      this.fail('activity_ends', message, {}, 'completeness');
    }
  }

  protected override takesLine(text: string): boolean {
    if (!text.startsWith('[')) return false;
    this.#disclosure(text);
    return true;
  }

  protected override take(linked: Linked<ActivityEntry>): void {
    this.#close(null);
    this.#open = linked;
  }

  protected override isOfChain(entry: object): entry is ActivityEntry {
    return '_type' in entry && entry._type === ACTIVITY_TYPE;
  }

  protected override firstSeq(): number {
    return 1;
  }

  /** It begins with its genesis: an entry that follows on nothing has no place in it. */
  protected override prevHashOfFirst(): string {
    return this.genesisHash ?? '';
  }

  protected override gap(due: number, found: number): void {
    const message = `The entry has seq ${found}; ${due} is due.`;
    this.fail('entry_seq', message, { seq: found });
    this.fail('activity_ends', message, { seq: found }, 'completeness');
  }

  #disclosure(text: string): void {
    const open = this.#open;
    if (open === null) {
      this.fail('disclosure_differs', 'Disclosed data stand behind no entry.');
      return;
    }
    const { seq, activity_id, commitments } = open.entry;
    try {
      const { value } = parseDisclosure(text, 'data');
      if (commitmentOf(text) !== commitments.data) throw new Error('they have another commitment');
      this.#close(new Shape(readJson(value)));
    } catch (error) {
      const message = `The disclosed data do not belong to their entry: ${reason(error)}.`;
      this.fail('disclosure_differs', message, { seq, id: activity_id });
      this.#close(null);
    }
  }

  /** The entry is done with: what it says goes into the facts. */
  #close(data: Shape | null): void {
    const open = this.#open;
    this.#open = null;
    if (open === null) return;
    try {
      this.#facts.add(open, data);
    } catch (error) {
      const { seq, activity_id: id } = open.entry;
      const message = `The disclosed data are not in the form of their kind: ${reason(error)}.`;
      this.fail('disclosure_differs', message, { seq, id });
    }
  }
}
