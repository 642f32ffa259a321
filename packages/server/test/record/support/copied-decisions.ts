import { formatTimestamp } from '@decision-ledger/contract/time';
import { commitmentOf } from '@decision-ledger/proof/commitment';
import { decisionText } from '@decision-ledger/proof/entry';
import { leafHash } from '@decision-ledger/proof/hash';
import { prepareDecision } from '#server/domains/record/decisions/rules/prepare';
import { uuidToId } from '#server/platform/ids';

export const FIELDS = ['alternatives', 'inputs', 'metadata', 'outputs'] as const;
export type Field = (typeof FIELDS)[number];

/** A stored decision; times in ms, hashes in hexadecimal. */
export interface Stored extends Record<Field, string | null> {
  readonly seq: number;
  readonly epoch: number;
  readonly confidence: number;
  readonly human_in_loop: boolean;
  readonly timestamp: number;
  readonly created_at: number;
  readonly uuid: string;
  readonly prev_hash: string;
  readonly action_type: string;
  readonly agent_id: string;
  readonly terms: readonly number[];
  readonly entry: string;
  readonly hash: string;
}

export const LEDGER_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
export const LEDGER = uuidToId('led', LEDGER_ID);

/** The row with the entry and the hash that follow from its columns. */
export function sealed(row: Stored): Stored {
  const commitments = Object.fromEntries(
    FIELDS.flatMap((field) => {
      const text = row[field];
      return text === null ? [] : [[field, commitmentOf(text)]];
    }),
  );
  const entry = decisionText({
    ...{ ledger: LEDGER, epoch: row.epoch, seq: row.seq, prev_hash: row.prev_hash, commitments },
    ...{ agent_id: row.agent_id, action_type: row.action_type, confidence: row.confidence },
    decision_id: uuidToId('dec', row.uuid),
    human_in_loop: row.human_in_loop,
    timestamp: formatTimestamp(row.timestamp),
    created_at: formatTimestamp(row.created_at),
  });
  return { ...row, entry, hash: leafHash(entry) };
}

type Body = Parameters<typeof prepareDecision>[0];

/** The rows that the service would store for these decisions. */
export function storedChain(bodies: readonly Body[], epoch: number, prevHash: string): Stored[] {
  const rows: Stored[] = [];
  for (const [index, body] of bodies.entries()) {
    const uuid = `01890a5d-ac96-774b-bcce-${(index * 7919).toString(16).padStart(12, '0')}`;
    const now = 1_800_000_000_000 + Math.floor(index / 2) * 13;
    const context = { ledgerId: LEDGER_ID, decisionId: uuid, now, path: '', claims: [] };
    let salts = 0;
    const salt = () => {
      salts += 1;
      return Buffer.alloc(16, `${index}/${salts}`).toString('base64url');
    };
    const made = prepareDecision(body, { ...context, salt });
    rows.push(
      sealed({
        ...{ seq: index + 1, epoch, uuid, created_at: now, timestamp: made.timestamp ?? now },
        ...{ confidence: made.confidence, human_in_loop: made.humanInLoop },
        ...{ agent_id: made.agentId, action_type: made.actionType, terms: termsIn(made.terms) },
        ...{ inputs: made.inputs, outputs: made.outputs, metadata: made.metadata },
        ...{ alternatives: made.alternatives, entry: '', hash: '' },
        prev_hash: rows.at(-1)?.hash ?? prevHash,
      }),
    );
  }
  return rows;
}

export const termsIn = (text: string) => text.slice(1, -1).split(',').map(Number);

/** The row in the bytes of COPY, as `copyDecisionRecords` selects it. */
export function copied(row: Stored): Buffer {
  const { terms } = row;
  const array = [int4(1), int4(0), int4(23), int4(terms.length), int4(1)];
  for (const term of terms) array.push(int4(4), int4(term));
  return Buffer.concat(
    [
      ...[int8(row.seq), int4(row.epoch), float8(row.confidence), bool(row.human_in_loop)],
      ...[int8(row.timestamp), int8(row.created_at), Buffer.from(row.uuid)],
      ...[Buffer.from(row.prev_hash, 'hex'), Buffer.from(row.action_type)],
      ...[Buffer.from(row.agent_id), Buffer.concat(array), Buffer.from(row.entry)],
      ...FIELDS.map((field) => row[field]).map((text) =>
        text === null ? null : Buffer.from(text),
      ),
      Buffer.from(row.hash, 'hex'),
    ].flatMap((field) => (field === null ? [int4(-1)] : [int4(field.length), field])),
  );
}

function int4(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int8(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

function float8(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}

const bool = (value: boolean) => Buffer.from([value ? 1 : 0]);
