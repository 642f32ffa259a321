import { type DecisionEntry, decisionText } from './entry.js';
import { sha256OfBase64urlBytes } from './hash.js';
import { quote } from './json.js';

const SALT_LENGTH = 22;
/** Stands for a character of the salt. */
const SALT = 0;

const SALT_BYTES = new Uint8Array(256);
for (const byte of Buffer.from(
  '-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
)) {
  SALT_BYTES[byte] = 1;
}

/**
 * The disclosures of one field, as UTF-8 bytes.
 *
 * @example
 * ```ts
 * import { DisclosureBytes } from '@decision-ledger/proof/decision-bytes';
 *
 * const bytes = Buffer.from('["AAAAAAAAAAAAAAAAAAAAAA","inputs",{"amount":5}]');
 * new DisclosureBytes('inputs').commitment(bytes, 0, bytes.length);
 * // => '2oKeMf2Ta7IUZxAGQqeJ09YxwfDm9TDRuETeaoBRMyY'
 * ```
 */
export class DisclosureBytes {
  /** Where the value begins, from the start of a disclosure. */
  readonly valueStart: number;
  readonly #opening: Uint8Array;

  constructor(name: string) {
    this.#opening = Buffer.from(`["${'\u0000'.repeat(SALT_LENGTH)}",${quote(name)},`);
    this.valueStart = this.#opening.length;
  }

  /** The commitment of the bytes from `start` to before `end`; null if they are not a disclosure of the field. */
  commitment(bytes: Buffer, start: number, end: number): string | null {
    const opening = this.#opening;
    // A value has at least one byte.
    if (end - start < opening.length + 2 || bytes[end - 1] !== 0x5d) return null;
    for (let at = 0; at < opening.length; at++) {
      const expected = opening[at];
      const byte = bytes[start + at] ?? 0;
      if (expected === SALT ? SALT_BYTES[byte] === 0 : byte !== expected) return null;
    }
    return sha256OfBase64urlBytes(bytes, start, end);
  }
}

/** What differs between the entries of a chain that commit to the same fields, in the order of the entry. */
const VARYING = {
  before: { action_type: '<action>', agent_id: '<agent>' },
  after: {
    confidence: 0.125,
    created_at: '2000-01-01T00:00:00.001Z',
    decision_id: '<decision>',
    human_in_loop: true,
    prev_hash: '<hash>',
    seq: Number.MAX_SAFE_INTEGER,
    timestamp: '2000-01-01T00:00:00.002Z',
  },
} as const;

/** The first values are JSON strings. */
const QUOTED = Object.keys(VARYING.before).length;

/**
 * The entries of one chain that commit to the same fields, as the texts between what differs. Characters may also stand for
 * the bytes of UTF-8 (`latin1`), in the entry and in all values.
 *
 * @example
 * ```ts
 * import { EntryTemplate } from '@decision-ledger/proof/decision-bytes';
 * import { decisionEntry } from '@decision-ledger/proof/entry';
 *
 * const [time, hash] = ['2026-04-16T09:30:00.000Z', '0'.repeat(64)];
 * const entry = decisionEntry({
 *   ledger: 'led_1', epoch: 1, seq: 1, prev_hash: hash, decision_id: 'dec_1', agent_id: 'pricing',
 *   action_type: 'refund', confidence: 0.9, human_in_loop: false, timestamp: time, created_at: time,
 *   commitments: {},
 * });
 * const values = ['refund', 'pricing', '0.9', time, 'dec_1', 'false', hash, '1', time];
 * new EntryTemplate('led_1', 1, []).matches(entry, values); // => true
 * ```
 */
export class EntryTemplate {
  readonly #literals: string[] = [];
  readonly #end: string;

  /** @param fields those with a commitment, in the order of the entry */
  constructor(
    ledger: string,
    epoch: number,
    fields: readonly (keyof DecisionEntry['commitments'])[],
  ) {
    const { before, after } = VARYING;
    const commitments = Object.fromEntries(fields.map((field) => [field, `<${field}>`]));
    let rest = decisionText({ ledger, epoch, ...before, ...after, commitments });
    const texts = [...Object.values(commitments), ...Object.values(after)].map(String);
    for (const text of [...Object.values(before).map(quote), ...texts]) {
      const at = rest.indexOf(text);
      this.#literals.push(rest.slice(0, at));
      rest = rest.slice(at + text.length);
    }
    this.#end = rest;
  }

  /**
   * Whether a text is the entry with these values: action type, agent, the commitments, confidence, created_at, decision,
   * human_in_loop, prev_hash, seq, timestamp.
   */
  matches(entry: string, values: readonly string[]): boolean {
    // One comparison of a joined text costs a quarter of one for each of its parts.
    let text = '';
    for (let index = 0; index < this.#literals.length; index++) {
      const value = values[index] ?? '';
      text += `${this.#literals[index] ?? ''}${index < QUOTED ? quote(value) : value}`;
    }
    return text + this.#end === entry;
  }
}
