import type { ErasableField } from '@decision-ledger/contract/erasure';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { WalkStart } from '@decision-ledger/proof/chain';
import { DisclosureBytes, EntryTemplate } from '@decision-ledger/proof/decision-bytes';
import { leafHashOfBytes } from '@decision-ledger/proof/hash';
import { isCommitment } from '@decision-ledger/proof/shapes';
import type { PassedRecords } from '../../../platform/chain/verify.js';
import { uuidToId } from '../../../platform/ids.js';
import { CopiedRow } from './copied-row.js';
import { readMetadata, termsText } from './rules/metadata.js';
import { TermBytes } from './rules/term-bytes.js';
import { UPLOAD_OPENING } from './stated-uploads.js';

/** In the order of the entry. */
const FIELDS = (['alternatives', 'inputs', 'metadata', 'outputs'] as const).map((name) => ({
  name,
  member: `"${name}":"`,
  form: new DisclosureBytes(name),
}));
const METADATA_START = new DisclosureBytes('metadata').valueStart;
const COMMITMENT_LENGTH = 43;
/** Of a year that has four digits. */
const TIME_LENGTH = 24;

/** What the pages of one chain share. */
export class WholeForm {
  readonly terms: TermBytes;
  readonly #templates: EntryTemplate[] = [];

  constructor(
    readonly ledgerId: string,
    private readonly ledger: string,
    readonly epoch: number,
  ) {
    this.terms = new TermBytes(ledgerId);
  }

  /** @param committed a bit for each of FIELDS */
  template(committed: number): EntryTemplate {
    const known = this.#templates[committed];
    if (known !== undefined) return known;
    const fields = FIELDS.filter((_, bit) => (committed & (1 << bit)) !== 0);
    const made = new EntryTemplate(
      this.ledger,
      this.epoch,
      fields.map(({ name }) => name),
    );
    this.#templates[committed] = made;
    return made;
  }
}

/**
 * Matches a page of stored decisions, in the bytes of COPY, with the entries that follow from their columns. It says of a
 * page that it is whole, or nothing: the walk over the chain decides about any other, and words what it finds.
 */
export class WholePage implements PassedRecords {
  seq: number;
  hash: string;
  records = 0;
  largest = 1;
  /** Identifiers of the decisions. */
  readonly ids: string[] = [];
  /** Each payload that an entry commits to and that is missing. */
  readonly lacking: (readonly [id: string, field: ErasableField])[] = [];
  /** Whether a field stands for an upload, which is stored elsewhere. */
  statesUploads = false;
  /** Whether each row so far is whole, if what is missing was erased. */
  isWhole = true;
  readonly #form: WholeForm;
  readonly #row = new CopiedRow();
  readonly #times = new Times();
  /** Where the metadata of the current row is; 0 if there is none. */
  #metadata = 0;
  #metadataEnd = 0;

  constructor(form: WholeForm, after: Pick<WalkStart, 'seq' | 'hash'>) {
    this.#form = form;
    this.seq = after.seq;
    this.hash = after.hash;
  }

  get erased(): number {
    return this.lacking.length;
  }

  take(bytes: Buffer): void {
    if (!this.isWhole) return;
    this.largest = Math.max(this.largest, bytes.length);
    try {
      this.isWhole = this.#matches(bytes);
    } catch (error) {
      // What cannot be read is not whole.
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      this.isWhole = false;
    }
  }

  #matches(bytes: Buffer): boolean {
    const row = this.#row;
    row.open(bytes);
    const seq = row.int8();
    if (seq !== this.seq + 1 || row.int4() !== this.#form.epoch) return false;
    const confidence = row.float8();
    const isHuman = row.bool();
    const timestamp = this.#times.text(row.int8());
    const createdAt = this.#times.text(row.int8());
    const id = uuidToId('dec', row.latin1());
    if (!row.nextIsHex(this.hash) || !Number.isFinite(confidence)) return false;
    const [actionType, agentId] = [row.latin1(), row.latin1()];
    const terms = row.next() ? row.start : 0;
    const entry = row.latin1();
    const { start, end } = row;
    const values = [actionType, agentId];
    const committed = this.#commit(values, id, entry);
    if (committed < 0) return false;
    values.push(String(confidence), createdAt, id, String(isHuman));
    values.push(this.hash, String(seq), timestamp);
    if (!this.#form.template(committed).matches(entry, values)) return false;
    if (!this.#hasTerms(terms, agentId, actionType)) return false;
    const hash = leafHashOfBytes(bytes, start, end);
    if (!row.nextIsHex(hash)) return false;
    this.ids.push(id);
    this.seq = seq;
    this.hash = hash;
    this.records += 1;
    return true;
  }

  /**
   * Adds the commitments of an entry, made of the payload where it is there.
   * @returns a bit for each; negative if a payload is no disclosure
   */
  #commit(values: string[], id: string, entry: string): number {
    const row = this.#row;
    let committed = 0;
    let bit = 1;
    for (const { name, member, form } of FIELDS) {
      const isThere = row.next();
      if (name === 'metadata') this.#metadata = isThere ? row.start : 0;
      if (name === 'metadata') this.#metadataEnd = row.end;
      const digest = isThere
        ? form.commitment(row.bytes, row.start, row.end)
        : committedIn(entry, member);
      if (isThere && this.#beginsUpload(row.start + form.valueStart)) this.statesUploads = true;
      if (digest !== null) {
        if (!isThere) this.lacking.push([id, name]);
        values.push(digest);
        committed |= bit;
      } else if (isThere) return -1;
      bit <<= 1;
    }
    return committed;
  }

  #beginsUpload(start: number): boolean {
    const { bytes } = this.#row;
    // Most values differ in their third character.
    if (bytes[start + 2] !== UPLOAD_OPENING.charCodeAt(2)) return false;
    return bytes.toString('latin1', start, start + UPLOAD_OPENING.length) === UPLOAD_OPENING;
  }

  #hasTerms(stored: number, agentId: string, actionType: string): boolean {
    const { bytes } = this.#row;
    const [start, end] = [this.#metadata, this.#metadataEnd];
    const terms = this.#form.terms.of(agentId, actionType);
    const value = start + METADATA_START;
    if (terms !== null && (start === 0 || this.#form.terms.add(terms, bytes, value, end - 1))) {
      return this.#row.isArray(stored, terms);
    }
    const metadata = readMetadata(start === 0 ? null : bytes.toString('utf8', start, end));
    const [agent, action] = [agentId, actionType].map((text) =>
      Buffer.from(text, 'latin1').toString('utf8'),
    );
    const text = termsText(this.#form.ledgerId, agent ?? '', action ?? '', metadata);
    return this.#row.isArray(stored, text.slice(1, -1).split(',').map(Number));
  }
}

/** The commitment to a field in an entry, whose place is not checked; null if there is none. */
function committedIn(entry: string, member: string): string | null {
  const at = entry.indexOf(member);
  if (at < 0) return null;
  const start = at + member.length;
  const digest = entry.slice(start, start + COMMITMENT_LENGTH);
  return isCommitment(digest) ? digest : null;
}

/** Times as text. Neighbours often have the same. */
class Times {
  #ms = Number.NaN;
  #text = '';

  text(ms: number): string {
    if (ms !== this.#ms) {
      this.#text = formatTimestamp(ms);
      this.#ms = ms;
      if (this.#text.length !== TIME_LENGTH) throw new RangeError('The year has not four digits.');
    }
    return this.#text;
  }
}
