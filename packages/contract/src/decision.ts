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

const Confidence = Type.Number({ minimum: 0, maximum: 1, description: '0 to 1, both ends in.' });

/** The body of POST /decisions. */
export const DecisionBody = Type.Object(
  {
    agent_id: Name('The agent that decided.'),
    action_type: Name('The kind of action it decided on.'),
    inputs: JsonObject,
    outputs: JsonObject,
    confidence: Confidence,
    alternatives: Type.Optional(Type.Array(JsonObject, { description: 'Competing actions.' })),
    human_in_loop: Type.Optional(Type.Boolean({ description: 'False unless told.' })),
    metadata: Type.Optional(JsonObject),
    timestamp: Type.Optional(
      Moment('When the decision was made; created_at unless told. At most 5 minutes ahead.'),
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

/** What proves that a decision was taken into the chain, and where. */
export const DecisionReceipt = Type.Object({
  decision_id: Id('dec'),
  seq: Type.Integer({ minimum: 1, description: 'Place in the chain, from 1.' }),
  timestamp: Timestamp,
  created_at: Timestamp,
  hash: Hash,
  prev_hash: Hash,
  liability: Type.Optional(
    Type.Object(
      { ...Liability.properties },
      {
        description: 'The first estimate. A single decision is answered with it, a batch without.',
      },
    ),
  ),
});
export type DecisionReceipt = Static<typeof DecisionReceipt>;

export const DecisionBatchReceipt = Type.Object({ decisions: Type.Array(DecisionReceipt) });
export type DecisionBatchReceipt = Static<typeof DecisionBatchReceipt>;

/** A recorded decision. A payload field that was never given, or was erased, is left out. */
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
    Type.Array(ErasableFieldName, { description: 'Left out where nothing was erased.' }),
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

/** The query of GET /decisions. `metadata.<key>=value` compares with the scalar's JSON text. */
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
    // `.` would leave out names with a line break.
    patternProperties: { '^metadata\\.[\\s\\S]+$': { type: 'string', maxLength: 1000 } },
  },
);
export type DecisionQuery = Static<typeof DecisionQuery>;
