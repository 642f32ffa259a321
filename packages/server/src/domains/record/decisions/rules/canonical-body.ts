import type { DecisionBody } from '@decision-ledger/contract/decision';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { parseDisclosure } from '@decision-ledger/proof/commitment';
import type { PreparedDecision } from './prepare.js';

type Payload = 'inputs' | 'outputs' | 'alternatives' | 'metadata';
type Disclosed = Pick<PreparedDecision, Payload>;

/** Writes a member of the body; null if it is absent. A member that is missing here does not compile. */
const MEMBERS: Readonly<
  Record<keyof DecisionBody, (body: DecisionBody, texts: Disclosed) => string | null>
> = {
  agent_id: ({ agent_id: value }) => canonicalJson(value),
  action_type: ({ action_type: value }) => canonicalJson(value),
  inputs: (_, { inputs }) => disclosed('inputs', inputs),
  outputs: (_, { outputs }) => disclosed('outputs', outputs),
  confidence: ({ confidence: value }) => canonicalJson(value),
  alternatives: (_, { alternatives }) => disclosed('alternatives', alternatives),
  human_in_loop: ({ human_in_loop: value }) => (value === undefined ? null : canonicalJson(value)),
  metadata: (_, { metadata }) => disclosed('metadata', metadata),
  timestamp: ({ timestamp: value }) => (value === undefined ? null : canonicalJson(value)),
};

function disclosed(name: Payload, disclosure: string | null): string | null {
  return disclosure === null ? null : parseDisclosure(disclosure, name).value;
}

/** In the order of canonical JSON: by UTF-16 code units. */
const IN_ORDER = Object.entries(MEMBERS)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, write]) => ({ opening: `"${name}":`, write }));

/**
 * The canonical JSON of the body of a decision. Its payload, which is most of it, was written for the
 * commitments already: to write it again would take half as long as the whole preparation.
 */
export function canonicalBody(body: DecisionBody, texts: Disclosed): string {
  let text = '{';
  for (const { opening, write } of IN_ORDER) {
    const value = write(body, texts);
    if (value === null) continue;
    text += text === '{' ? opening + value : `,${opening}${value}`;
  }
  return `${text}}`;
}
