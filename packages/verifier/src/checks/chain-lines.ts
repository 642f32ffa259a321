import { FILES, type FileOfForm } from '@decision-ledger/proof/bundle/format';
import type { ChainPoint, RecordsManifest, RunStart } from '@decision-ledger/proof/bundle/manifest';
import {
  type ActivityEntry,
  type DecisionEntry,
  type Entry,
  type GenesisEntry,
  readEntry,
} from '@decision-ledger/proof/entry';
import { leafHash } from '@decision-ledger/proof/hash';
import type { LineReader } from '../archive/lines.js';
import { reason } from '../archive/open.js';
import type { FindingCode } from '../report/codes.js';
import type { Findings } from '../report/findings.js';
import type { Finding, VerdictName } from '../report/report.js';

type AnyEntry = DecisionEntry | ActivityEntry;

/** An entry of the file and its hash, even if the chain is broken there. */
export interface Linked<E> {
  readonly entry: E;
  readonly hash: string;
}

interface Options {
  readonly file: FileOfForm<'chain'>;
  readonly manifest: RecordsManifest;
  readonly findings: Findings;
}

/**
 * Verifies a file of entries: the genesis on the first line, then entries, each with the hash of the
 * previous one. After a break it continues with the next entry.
 */
export abstract class ChainLines<E extends AnyEntry> implements LineReader {
  /** Null until the genesis is read. */
  genesisHash: string | null = null;
  /** Epoch of the genesis. */
  epoch: number | null = null;
  first: RunStart | null = null;
  last: ChainPoint | null = null;
  readonly file: Options['file'];
  readonly manifest: RecordsManifest;
  readonly #options: Options;
  #before = '';
  #isBroken = false;
  #lastTime = '';

  constructor(options: Options) {
    this.#options = options;
    this.file = options.file;
    this.manifest = options.manifest;
  }

  line(text: string, number: number): void {
    if (number === 1) this.#genesis(text);
    else if (!this.handlesLine(text)) this.#entry(text, number);
  }

  problem(message: string, number: number): void {
    this.fail('line_unreadable', `Line ${number} ${message}.`);
    this.#isBroken = true;
  }

  /** Goes on behind an entry that is known by its hash alone. */
  protected skip({ seq, hash }: ChainPoint): void {
    const due = this.last === null ? this.firstSeq() : this.last.seq + 1;
    if (seq !== due && !this.#isBroken) this.gap(due, seq);
    const prev_hash = this.last === null && seq > 1 ? this.prevHashOfFirst() : this.#before;
    this.first ??= { seq, hash, prev_hash };
    this.last = { seq, hash };
    this.#before = hash;
    this.#isBroken = false;
  }

  /** Called before the place of an entry in the chain is checked. */
  protected comeTo(_seq: number): void {}

  /** @returns whether the line is not an entry and was handled */
  protected abstract handlesLine(text: string): boolean;
  protected abstract addEntry(linked: Linked<E>): void;
  protected abstract isOfChain(entry: object): entry is E;

  protected fail(
    code: FindingCode,
    message: string,
    at: { seq?: number; id?: string } = {},
    verdict: VerdictName = 'integrity',
  ): void {
    this.#options.findings.fail(verdict, { code, file: this.file, ...at, message });
  }

  /** Records that something is not in the bundle that the entries say must be there. */
  missing(finding: Finding): void {
    this.#options.findings.fail('completeness', finding);
  }

  #genesis(text: string): void {
    const { file, manifest } = this.#options;
    try {
      this.genesisHash = leafHash(text);
      this.#before = this.genesisHash;
      const entry = readGenesis(text);
      this.epoch = entry.epoch;
      this.#lastTime = entry.created_at;
      refuseForeign(entry, FILES[file].chain, manifest);
    } catch (error) {
      const message = `The first line of ${this.file} is not the genesis of this chain: ${reason(error)}.`;
      this.fail('genesis_wrong', message);
    }
  }

  #entry(text: string, number: number): void {
    let entry: E;
    let hash: string;
    try {
      hash = leafHash(text);
      const read = readEntryText(text);
      if (!this.isOfChain(read)) throw new Error('it belongs to another chain');
      entry = read;
    } catch (error) {
      this.fail('entry_unreadable', `Line ${number} is not an entry: ${reason(error)}.`);
      this.#isBroken = true;
      return;
    }
    const at = { seq: entry.seq };
    this.comeTo(entry.seq);
    this.#place(entry, at);
    const { ledger, epoch } = entry;
    if (ledger !== this.manifest.ledger || epoch !== (this.epoch ?? epoch)) {
      this.fail('entry_foreign', 'The entry belongs to another ledger or epoch.', at);
    }
    this.#times(entry, at);
    this.first ??= { seq: entry.seq, hash, prev_hash: entry.prev_hash };
    this.last = { seq: entry.seq, hash };
    this.#before = hash;
    this.#isBroken = false;
    this.addEntry({ entry, hash });
  }

  /** The first entry of a run inside a chain follows an entry that is not in the bundle. */
  #place(entry: E, at: { seq: number }): void {
    const due = this.last === null ? this.firstSeq() : this.last.seq + 1;
    if (entry.seq !== due && !this.#isBroken) this.gap(due, entry.seq);
    const before = this.last === null && entry.seq > 1 ? this.prevHashOfFirst() : this.#before;
    if (entry.prev_hash !== before && !this.#isBroken) {
      const message = `The entry names ${entry.prev_hash} as the hash of the previous entry, which has ${before}.`;
      this.fail('entry_link', message, at);
    }
  }

  protected abstract firstSeq(): number;
  protected abstract prevHashOfFirst(): string;
  protected abstract gap(due: number, found: number): void;

  #times(entry: E, at: { seq: number }): void {
    const { created_at } = entry;
    if (created_at < this.#lastTime) {
      const message = `The entry was recorded at ${created_at}, before the previous entry, ${this.#lastTime}.`;
      this.fail('time_backwards', message, at, 'time');
    } else {
      this.#lastTime = created_at;
    }
    if (created_at > this.manifest.created_at) {
      const message = `The entry was recorded at ${created_at}; the bundle was made at ${this.manifest.created_at}.`;
      this.fail('time_after_export', message, at, 'time');
    }
  }
}

/** In characters. Entries of the service have a few hundred. */
const MAX_ENTRY_CHARS = 16 * 1024;

/**
 * Reads an entry. Megabytes of brackets would need a hundred times as much memory once parsed.
 * @throws Error if the text is not an entry, or is too long
 */
function readEntryText(text: string): Entry {
  if (text.length > MAX_ENTRY_CHARS) throw new Error(`it has ${text.length} characters`);
  return readEntry(text);
}

/** @throws Error if the text is not a genesis entry */
function readGenesis(text: string): GenesisEntry {
  const entry = readEntryText(text);
  if (!('chain' in entry)) throw new Error('it is not a genesis');
  return entry;
}

/** @throws Error if it is not the genesis of the chain of this manifest */
function refuseForeign(
  genesis: GenesisEntry,
  chain: GenesisEntry['chain'],
  manifest: RecordsManifest,
): void {
  const isOurs =
    genesis.chain === chain &&
    genesis.ledger === manifest.ledger &&
    genesis.organisation === manifest.organisation &&
    genesis.mode === manifest.mode;
  if (!isOurs) throw new Error('it belongs to another ledger, organisation, mode or chain');
}
