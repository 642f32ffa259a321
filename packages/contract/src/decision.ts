import { type Static, Type } from 'typebox';
import { ErasableFieldName } from './erasure.js';
import type { ErrorDetails } from './errors.js';
import { Liability } from './liability.js';
import { LIMITS } from './limits.js';
import {
  Hash,
  Id,
  JsonObject,
  Moment,
  Name,
  NextCursor,
  PageParameters,
  RangeParameters,
  Timestamp,
} from './shared.js';

const Confidence = Type.Number({ minimum: 0, maximum: 1, description: 'From 0 to 1, inclusive.' });

/** The body of POST /decisions. */
export const DecisionBody = Type.Object(
  {
    agent_id: Name('The agent that made the decision.'),
    action_type: Name('The kind of action that was decided.'),
    inputs: JsonObject,
    outputs: JsonObject,
    confidence: Confidence,
    alternatives: Type.Optional(
      Type.Array(JsonObject, { description: 'Actions that were considered but not chosen.' }),
    ),
    human_in_loop: Type.Optional(Type.Boolean({ description: 'Default: false.' })),
    metadata: Type.Optional(JsonObject),
    timestamp: Type.Optional(
      Moment('When the decision was made. Default: created_at. At most 5 minutes in the future.'),
    ),
  },
  { additionalProperties: false },
);
export type DecisionBody = Static<typeof DecisionBody>;

/** A decision of a batch. The key identifies repeats of this decision, in any request. */
export const BatchDecision = Type.Object(
  {
    ...DecisionBody.properties,
    idempotency_key: Type.Optional(
      Type.String({
        maxLength: LIMITS.idempotencyKeyChars,
        pattern: '^[ -~]+$',
        description: `1 to ${LIMITS.idempotencyKeyChars} printable ASCII characters, unique per decision.`,
        'x-problem': `must be 1 to ${LIMITS.idempotencyKeyChars} printable ASCII characters`,
      }),
    ),
  },
  { additionalProperties: false },
);
export type BatchDecision = Static<typeof BatchDecision>;

/** The body of POST /decisions/batch. */
export const DecisionBatchBody = Type.Object(
  {
    decisions: Type.Array(BatchDecision, { minItems: 1, maxItems: LIMITS.batchDecisions }),
  },
  { additionalProperties: false },
);
export type DecisionBatchBody = Static<typeof DecisionBatchBody>;

const ReceiptFields = {
  decision_id: Id('dec'),
  seq: Type.Integer({ minimum: 1, description: 'Position in the chain, from 1.' }),
  timestamp: Timestamp,
  created_at: Timestamp,
  hash: Hash,
  prev_hash: Hash,
};

/** Proof that a decision was recorded, with its position in the chain. */
export const DecisionReceipt = Type.Object({
  ...ReceiptFields,
  signed_receipt: Type.Optional(
    Type.String({
      description:
        'A signed note (C2SP signed-note) over ledger, seq, hash and created_at, by the key of the log. ' +
        'Present if the request preferred `receipt=signed`.',
    }),
  ),
  liability: Type.Optional(
    Type.Object(
      { ...Liability.properties },
      {
        description:
          'The first estimate. Absent only if the decision was first recorded in a batch.',
      },
    ),
  ),
});
export type DecisionReceipt = Static<typeof DecisionReceipt>;

/** The receipt of a decision of a batch. */
export const BatchedReceipt = Type.Object({
  ...ReceiptFields,
  replayed: Type.Boolean({
    description: 'Whether the decision was recorded before, under the same key.',
  }),
});
export type BatchedReceipt = Static<typeof BatchedReceipt>;

/** A decision of a batch that was refused, and the error that it would have had alone. */
export const RefusedDecision = Type.Object({
  index: Type.Integer({ minimum: 0, description: 'Its place in the request, from 0.' }),
  error: Type.Object({
    code: Type.String({ description: 'One of the error codes of the API.' }),
    message: Type.String(),
    details: Type.Optional(
      Type.Unsafe<ErrorDetails>(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description: '`fields` maps the path of each invalid field to its problems.',
          },
        ),
      ),
    ),
  }),
});
export type RefusedDecision = Static<typeof RefusedDecision>;

/** The answer to POST /decisions/batch. */
export const DecisionBatchReceipt = Type.Object({
  decisions: Type.Array(BatchedReceipt, {
    description: 'A receipt for each decision that is recorded, in the order of the request.',
  }),
  refused: Type.Optional(
    Type.Array(RefusedDecision, {
      description:
        'The decisions that were refused, in the order of the request. Present if the request preferred ' +
        '`handling=lenient`.',
    }),
  ),
});
export type DecisionBatchReceipt = Static<typeof DecisionBatchReceipt>;

/** A recorded decision. Payload fields that are missing or erased are left out. */
export const Decision = Type.Object({
  decision_id: Id('dec'),
  seq: Type.Integer({ minimum: 1 }),
  agent_id: Type.String(),
  action_type: Type.String(),
  inputs: Type.Optional(JsonObject),
  outputs: Type.Optional(JsonObject),
  confidence: Type.Number(),
  alternatives: Type.Optional(Type.Array(JsonObject)),
  human_in_loop: Type.Boolean(),
  metadata: Type.Optional(JsonObject),
  erased_fields: Type.Optional(
    Type.Array(ErasableFieldName, { description: 'Absent if nothing was erased.' }),
  ),
  timestamp: Timestamp,
  created_at: Timestamp,
  hash: Hash,
  prev_hash: Hash,
});
export type Decision = Static<typeof Decision>;

export const DecisionPage = Type.Object({
  decisions: Type.Array(Decision),
  next_cursor: NextCursor,
});
export type DecisionPage = Static<typeof DecisionPage>;

/** The query of GET /decisions. `metadata.<key>=value` matches the JSON text of the scalar. */
export const DecisionQuery = Type.Object(
  {
    agent_id: Type.Optional(Name('Only decisions of this agent.')),
    action_type: Type.Optional(Name('Only decisions of this action type.')),
    human_in_loop: Type.Optional(Type.Boolean()),
    min_confidence: Type.Optional(Confidence),
    max_confidence: Type.Optional(Confidence),
    ...RangeParameters,
    ...PageParameters,
  },
  {
    additionalProperties: false,
    // `.` would not match a line break.
    patternProperties: { '^metadata\\.[\\s\\S]+$': { type: 'string', maxLength: 1000 } },
  },
);
export type DecisionQuery = Static<typeof DecisionQuery>;
