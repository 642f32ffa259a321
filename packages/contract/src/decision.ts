import { type Static, Type } from 'typebox';
import { ErasableFieldName } from './erasure.js';
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

/** The body of POST /decisions/batch. */
export const DecisionBatchBody = Type.Object(
  {
    decisions: Type.Array(DecisionBody, { minItems: 1, maxItems: LIMITS.batchDecisions }),
  },
  { additionalProperties: false },
);
export type DecisionBatchBody = Static<typeof DecisionBatchBody>;

/** Proof that a decision was recorded, with its position in the chain. */
export const DecisionReceipt = Type.Object({
  decision_id: Id('dec'),
  seq: Type.Integer({ minimum: 1, description: 'Position in the chain, from 1.' }),
  timestamp: Timestamp,
  created_at: Timestamp,
  hash: Hash,
  prev_hash: Hash,
  liability: Type.Optional(
    Type.Object(
      { ...Liability.properties },
      {
        description: 'The first estimate. Present for a single decision, absent in a batch.',
      },
    ),
  ),
});
export type DecisionReceipt = Static<typeof DecisionReceipt>;

export const DecisionBatchReceipt = Type.Object({ decisions: Type.Array(DecisionReceipt) });
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
