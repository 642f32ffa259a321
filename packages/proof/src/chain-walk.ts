/// <reference lib="es2024.string" />
import { commitmentOf, isDisclosure } from './commitment.js';
import { EntryError } from './entry.js';
import { leafHash } from './hash.js';
import { quote } from './json.js';

/**
 * The kind of break: `gap` a missing sequence number, `link` a wrong hash of the previous record,
 * `content` an entry that does not match its hash, `column` a column that differs from the entry,
 * `commitment` a payload that does not match the entry, `head` a last record that differs from the
 * head of the chain.
 */
export type FindingKind = 'content' | 'commitment' | 'column' | 'link' | 'gap' | 'head';

/** The first break of a chain. Columns and payloads are compared with the entry. */
export interface Finding {
  seq: number;
  /** Id of the record; null if there is no record. */
  id: string | null;
  kind: FindingKind;
  expected: string | number | null;
  actual: string | number | null;
  /** Name of the column or field, or the reason why the entry is unreadable. */
  detail?: string;
}

/**
 * A record as it is stored. `disclosures` has the disclosure text of each payload field; null or
 * absent if the field was never sent or was erased.
 */
export interface StoredRecord<C> {
  seq: number;
  hash: string;
  prevHash: string;
  entry: string;
  columns: C;
  disclosures: Record<string, string | null>;
}

/** The start of a walk: the record before the first one to verify, or the genesis entry (seq 0). */
export interface WalkStart {
  ledger: string;
  epoch: number;
  seq: number;
  hash: string;
}

/** A running verification. It stops at a broken record and keeps the position before it. */
export interface Walk<C> {
  /** Verifies the next record. Returns null if it is valid. */
  step(record: StoredRecord<C>): Finding | null;
  /** Sequence number and hash of the last valid record. */
  readonly seq: number;
  readonly hash: string;
  /** Number of valid records so far. */
  readonly checked: number;
  /** Number of their fields whose payload is missing because of a recorded erasure. */
  readonly erased: number;
  /** Moves on past records that were found valid by a quicker check, to the last of them. */
  advance(past: { seq: number; hash: string; records: number; erased: number }): void;
  /** Compares the last record with the head. Do not step beyond the head. */
  finish(head: { seq: number; hash: string }): Finding | null;
}

export interface Position {
  ledger: string;
  epoch: number;
  seq: number;
  prev_hash: string;
}

type Commitments<F extends string> = { [field in F]?: string };

/** The definition of a chain: its columns, payload fields and entry. */
export interface ChainKind<C, F extends string> {
  readonly fields: readonly F[];
  readonly columns: readonly (keyof C & string)[];
  idOf(columns: C): string;
  /** The text of an entry; throws TypeError if a member has the wrong form. */
  write(at: Position, columns: C, commitments: Commitments<F>): string;
  /** Throws EntryError. */
  read(text: string): Position & C & { commitments: Commitments<F> };
  isErased(id: string, field: string): boolean;
}

/** The verification that both chains share. */
export class ChainWalk<C, F extends string> implements Walk<C> {
  seq: number;
  hash: string;
  checked = 0;
  erased = 0;
  readonly #kind: ChainKind<C, F>;
  readonly #start: WalkStart;
  /** Each field with its name as a JSON string. */
  readonly #fields: ReadonlyMap<string, { name: F; quoted: string }>;

  constructor(kind: ChainKind<C, F>, start: WalkStart) {
    this.#kind = kind;
    this.#start = start;
    this.#fields = new Map(kind.fields.map((name) => [name, { name, quoted: quote(name) }]));
    this.seq = start.seq;
    this.hash = start.hash;
  }

  step(record: StoredRecord<C>): Finding | null {
    const finding = this.#place(record) ?? this.#substance(record);
    if (finding === null) {
      this.seq = record.seq;
      this.hash = record.hash;
      this.checked++;
    }
    return finding;
  }

  advance(past: { seq: number; hash: string; records: number; erased: number }): void {
    this.seq = past.seq;
    this.hash = past.hash;
    this.checked += past.records;
    this.erased += past.erased;
  }

  finish(head: { seq: number; hash: string }): Finding | null {
    if (head.seq !== this.seq) {
      const seq = Math.min(head.seq, this.seq + 1);
      return { seq, id: null, kind: 'head', expected: head.seq, actual: this.seq };
    }
    if (head.hash !== this.hash) {
      return { seq: head.seq, id: null, kind: 'head', expected: head.hash, actual: this.hash };
    }
    return null;
  }

  #place(record: StoredRecord<C>): Finding | null {
    const seq = this.seq + 1;
    if (record.seq !== seq) {
      return { seq, id: null, kind: 'gap', expected: seq, actual: record.seq };
    }
    if (record.prevHash !== this.hash) {
      return this.#finding(record, 'link', this.hash, record.prevHash);
    }
    return null;
  }

  #substance(record: StoredRecord<C>): Finding | null {
    // If columns and payload reproduce the entry, only its hash remains to be checked.
    return this.#rebuild(record) === record.entry
      ? this.#content(record)
      : (this.#content(record) ?? this.#members(record));
  }

  /** The entry that results from columns and payload; null if they make none. */
  #rebuild(record: StoredRecord<C>): string | null {
    const commitments: Commitments<F> = {};
    const { disclosures } = record;
    try {
      for (const name in disclosures) {
        const disclosure = disclosures[name];
        if (disclosure === null || disclosure === undefined) {
          continue;
        }
        const field = this.#fields.get(name);
        if (field === undefined || !isDisclosure(disclosure, field.quoted)) {
          return null;
        }
        commitments[field.name] = commitmentOf(disclosure);
      }
      return this.#kind.write(this.#position(record), record.columns, commitments);
    } catch (error) {
      if (error instanceof TypeError) {
        return null;
      }
      throw error;
    }
  }

  #content(record: StoredRecord<C>): Finding | null {
    if (!record.entry.isWellFormed()) {
      return this.#finding(record, 'content', record.hash, null, 'The entry has no UTF-8 form.');
    }
    const actual = leafHash(record.entry);
    return actual === record.hash ? null : this.#finding(record, 'content', record.hash, actual);
  }

  /** The slow path, to find the difference: parses the entry and compares every member. */
  #members(record: StoredRecord<C>): Finding | null {
    let entry: ReturnType<ChainKind<C, F>['read']>;
    try {
      entry = this.#kind.read(record.entry);
    } catch (error) {
      if (error instanceof EntryError) {
        return this.#finding(record, 'content', null, null, error.message);
      }
      throw error;
    }
    return this.#columns(record, entry) ?? this.#commitments(record, entry.commitments);
  }

  #columns(record: StoredRecord<C>, entry: Position & C): Finding | null {
    const position = this.#position(record);
    for (const name of ['seq', 'ledger', 'epoch', 'prev_hash'] as const) {
      if (entry[name] !== position[name]) {
        return this.#finding(record, 'column', entry[name], position[name], name);
      }
    }
    for (const name of this.#kind.columns) {
      const [expected, actual] = [entry[name], record.columns[name]];
      if (expected !== actual) {
        return this.#finding(record, 'column', shown(expected), shown(actual), name);
      }
    }
    return null;
  }

  #commitments(record: StoredRecord<C>, commitments: Commitments<F>): Finding | null {
    let erased = 0;
    for (const [name, { name: field, quoted }] of this.#fields) {
      const disclosure = record.disclosures[name] ?? null;
      const expected = commitments[field] ?? null;
      if (disclosure === null) {
        if (expected === null) {
          continue;
        }
        if (!this.#kind.isErased(this.#kind.idOf(record.columns), name)) {
          return this.#finding(record, 'commitment', expected, null, name);
        }
        erased++;
        continue;
      }
      const actual = digest(disclosure, quoted);
      if (actual === null || actual !== expected) {
        return this.#finding(record, 'commitment', expected, actual, name);
      }
    }
    for (const [name, disclosure] of Object.entries(record.disclosures)) {
      if (disclosure !== null && !this.#fields.has(name)) {
        const actual = digest(disclosure, quote(name));
        return this.#finding(record, 'commitment', null, actual, name);
      }
    }
    this.erased += erased;
    return null;
  }

  #position(record: StoredRecord<C>): Position {
    const { ledger, epoch } = this.#start;
    return { ledger, epoch, seq: record.seq, prev_hash: record.prevHash };
  }

  #finding(
    record: StoredRecord<C>,
    kind: FindingKind,
    expected: Finding['expected'],
    actual: Finding['actual'],
    detail?: string,
  ): Finding {
    const id = this.#kind.idOf(record.columns);
    const finding: Finding = { seq: record.seq, id, kind, expected, actual };
    return detail === undefined ? finding : { ...finding, detail };
  }
}

/** Commitment of a field's disclosure; null if the text is not a disclosure. */
function digest(disclosure: string, quotedName: string): string | null {
  const isWhole = disclosure.isWellFormed() && isDisclosure(disclosure, quotedName);
  return isWhole ? commitmentOf(disclosure) : null;
}

/** A value as shown in a finding. */
function shown(value: unknown): string | number | null {
  if (value === null || value === undefined) {
    return null;
  }
  return typeof value === 'number' && Number.isFinite(value) ? value : String(value);
}
