import type { Liability } from '@decision-ledger/contract/liability';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { PAYLOAD_FIELDS, type PayloadField } from '@decision-ledger/proof/bundle/format';
import { commitmentsOf, type DecisionColumns, type Disclosed, readField } from './payload.js';

/** A stored decision with the disclosures of its payload fields. */
export interface DisclosedDecision extends DecisionColumns {
  readonly inputs: string | null;
  readonly outputs: string | null;
  readonly alternatives: string | null;
  readonly metadata: string | null;
}

/**
 * One line of decisions.json, with the committed values. Of a decision that was tampered with, the
 * readable fields are written: the verifier reports what is wrong.
 */
export function decisionLine(row: DisclosedDecision, liability: Liability | null): string {
  const commitments = commitmentsOf(row.entry);
  const fields = new Map<PayloadField, Disclosed>();
  for (const name of PAYLOAD_FIELDS) {
    const field = readField(row[name], name);
    if (field !== null && field !== 'unreadable') fields.set(name, field);
  }
  const erased = PAYLOAD_FIELDS.filter(
    (name) => row[name] === null && commitments[name] !== undefined,
  );
  const salts = Object.fromEntries([...fields].map(([name, { salt }]) => [name, salt]));
  const members: readonly (readonly [name: string, json: string | undefined])[] = [
    ['decision_id', JSON.stringify(row.decision_id)],
    ['seq', String(row.seq)],
    ['agent_id', JSON.stringify(row.agent_id)],
    ['action_type', JSON.stringify(row.action_type)],
    ['inputs', fields.get('inputs')?.text],
    ['outputs', fields.get('outputs')?.text],
    ['confidence', JSON.stringify(row.confidence)],
    ['alternatives', fields.get('alternatives')?.text],
    ['human_in_loop', String(row.human_in_loop)],
    ['metadata', fields.get('metadata')?.text],
    ['timestamp', JSON.stringify(formatTimestamp(row.timestamp))],
    ['created_at', JSON.stringify(formatTimestamp(row.created_at))],
    ['hash', JSON.stringify(row.hash)],
    ['prev_hash', JSON.stringify(row.prev_hash)],
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
