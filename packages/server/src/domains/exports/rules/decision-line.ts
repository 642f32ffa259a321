import type { Liability } from '@decision-ledger/contract/liability';
import { parseDisclosure } from '@decision-ledger/proof/commitment';
import { DECISION_TYPE, readEntry } from '@decision-ledger/proof/entry';

const FIELDS = ['inputs', 'outputs', 'alternatives', 'metadata'] as const;

/** What proves a decision: its entry, and the disclosures of its payload. */
export interface DisclosedDecision {
  readonly entry: string;
  readonly hash: string;
  readonly inputs: string | null;
  readonly outputs: string | null;
  readonly alternatives: string | null;
  readonly metadata: string | null;
}

/** The payload of a decision as it stands in a bundle. */
export interface Disclosed {
  /** Canonical JSON texts. */
  readonly values: Readonly<Record<string, string>>;
  readonly salts: Readonly<Record<string, string>>;
  readonly commitments: Readonly<Record<string, string>>;
  readonly erased: readonly string[];
}

/** Takes the disclosures of a decision apart. */
export function disclosed(row: DisclosedDecision, commitments: Record<string, string>): Disclosed {
  const values: Record<string, string> = {};
  const salts: Record<string, string> = {};
  const erased: string[] = [];
  for (const name of FIELDS) {
    const disclosure = row[name];
    if (disclosure !== null) {
      const { salt, value } = parseDisclosure(disclosure, name);
      values[name] = value;
      salts[name] = salt;
    } else if (commitments[name] !== undefined) {
      erased.push(name);
    }
  }
  return { values, salts, commitments, erased };
}

/**
 * A decision as one line of decisions.json. Members come from its entry, values as they were hashed.
 * @throws EntryError where the entry is none
 */
export function decisionLine(row: DisclosedDecision, liability: Liability | null): string {
  const entry = readEntry(row.entry);
  if (entry._type !== DECISION_TYPE) throw new Error('the entry of a decision is another one');
  const { values, salts, commitments, erased } = disclosed(row, entry.commitments);
  const members: [name: string, json: string | undefined][] = [
    ['decision_id', JSON.stringify(entry.decision_id)],
    ['seq', String(entry.seq)],
    ['agent_id', JSON.stringify(entry.agent_id)],
    ['action_type', JSON.stringify(entry.action_type)],
    ['inputs', values.inputs],
    ['outputs', values.outputs],
    ['confidence', JSON.stringify(entry.confidence)],
    ['alternatives', values.alternatives],
    ['human_in_loop', String(entry.human_in_loop)],
    ['metadata', values.metadata],
    ['timestamp', JSON.stringify(entry.timestamp)],
    ['created_at', JSON.stringify(entry.created_at)],
    ['hash', JSON.stringify(row.hash)],
    ['prev_hash', JSON.stringify(entry.prev_hash)],
    ['salts', JSON.stringify(salts)],
    ['commitments', JSON.stringify(commitments)],
    ['erased_fields', JSON.stringify(erased)],
    ['liability', JSON.stringify(liability)],
  ];
  const texts = members.flatMap(([name, json]) =>
    json === undefined ? [] : [`"${name}":${json}`],
  );
  return `{${texts.join(',')}}`;
}
