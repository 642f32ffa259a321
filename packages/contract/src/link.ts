import { type Static, Type } from 'typebox';
import { Id, JsonObject, NextCursor, PageParameters, Timestamp } from './shared.js';

const Strength = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'How much of the event the decision caused, 0 to 1.',
});

const LinkType = Type.Enum(['revenue', 'cost', 'loss', 'refund', 'saving']);

const STATUSES = ['CONFIRMED', 'ML_SUGGESTED', 'ML_INFERRED', 'REJECTED'] as const;
const LinkStatus = Type.Enum([...STATUSES], {
  description:
    'CONFIRMED: made by a caller. ML_SUGGESTED: made by the engine, waits for a review. ' +
    'ML_INFERRED: suggested and confirmed. REJECTED: suggested and rejected.',
});

/** The body of POST /links. */
export const LinkBody = Type.Object(
  {
    decision_id: Type.String({ description: 'A decision of this ledger.' }),
    financial_event_id: Type.String({ description: 'A financial event of this ledger.' }),
    correlation_strength: Strength,
    link_type: LinkType,
    attribution_method: Type.Enum(['direct', 'manual']),
    notes: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  { additionalProperties: false },
);
export type LinkBody = Static<typeof LinkBody>;

const Moment = Type.Union([Timestamp, Type.Null()]);

/** A link between a decision and a financial event. */
export const Link = Type.Object({
  id: Id('lnk'),
  decision_id: Id('dec'),
  financial_event_id: Id('evt'),
  correlation_strength: Strength,
  link_type: LinkType,
  attribution_method: Type.Enum(['direct', 'manual', 'probabilistic']),
  status: LinkStatus,
  notes: Type.Optional(Type.String()),
  score: Type.Optional(JsonObject),
  created_by: Type.String(),
  created_at: Timestamp,
  reviewed_by: Type.Optional(Type.String()),
  reviewed_at: Type.Optional(Timestamp),
  deleted_at: Moment,
});
export type Link = Static<typeof Link>;

export const LinkPage = Type.Object({ links: Type.Array(Link), next_cursor: NextCursor });
export type LinkPage = Static<typeof LinkPage>;

export const LinkQuery = Type.Object(
  {
    decision_id: Type.Optional(Type.String({ description: 'Only links of this decision.' })),
    financial_event_id: Type.Optional(Type.String({ description: 'Only links of this event.' })),
    status: Type.Optional(LinkStatus),
    min_strength: Type.Optional(Strength),
    include_deleted: Type.Optional(
      Type.Boolean({ description: 'Also soft-deleted links; false unless told.' }),
    ),
    ...PageParameters,
  },
  { additionalProperties: false },
);
export type LinkQuery = Static<typeof LinkQuery>;
