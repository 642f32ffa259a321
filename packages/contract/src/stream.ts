import { type Static, type TSchema, Type } from 'typebox';
import { FinancialEvent } from './financial-event.js';
import { LiabilityUpdate } from './liability.js';
import { LinkBody } from './link.js';
import { MODES } from './permissions.js';
import { Hash, Id, Name, Timestamp } from './shared.js';

/** The path of the stream. */
export const STREAM_PATH = '/ws/v1/stream';

/** WebSocket close codes (RFC 6455, 7.4). Codes from 4000 are specific to this service. */
export const CLOSE_CODES = {
  goingAway: 1001,
  unsupportedData: 1003,
  policyViolation: 1008,
  internalError: 1011,
  keyEnded: 4001,
  slowConsumer: 4008,
  wentBack: 4009,
} as const;

const EstimateInShort = Type.Object({
  exposure: Type.String({ description: 'Expected cost, a decimal.' }),
  low: Type.String({ description: '5th percentile.' }),
  high: Type.String({ description: '95th percentile.' }),
  currency: Type.String({ description: 'ISO 4217 code.' }),
});

const DecisionRecorded = Type.Object({
  decision_id: Id('dec'),
  seq: Type.Integer({ minimum: 1 }),
  timestamp: Timestamp,
  created_at: Timestamp,
  hash: Hash,
  prev_hash: Hash,
  agent_id: Type.String(),
  action_type: Type.String(),
  confidence: Type.Number(),
  human_in_loop: Type.Boolean(),
  exposure: Type.Union([EstimateInShort, Type.Null()], {
    description: 'The estimate when the event was sent; null if there is none.',
  }),
});

/** The common members of events about an activity record. */
const RECORD = {
  activity_id: Id('act'),
  subject: Type.String({ description: 'The object that was changed.' }),
  actor: Type.String({ description: 'The key or other actor that made the change.' }),
};

/** A disclosed field is left out if it was never given or cannot be read. */
const EventRecorded = Type.Object({
  ...RECORD,
  ...Type.Partial(
    Type.Pick(FinancialEvent, [
      ...(['source', 'event_type', 'amount', 'currency', 'external_id'] as const),
      ...(['timestamp', 'supersedes'] as const),
    ]),
  ).properties,
});

const EventDeleted = Type.Object({
  ...RECORD,
  superseded_by: FinancialEvent.properties.superseded_by,
});

const LinkChange = Type.Object({
  ...RECORD,
  decision_id: Type.Optional(Id('dec')),
  financial_event_id: Type.Optional(Id('evt')),
  correlation_strength: Type.Optional(LinkBody.properties.correlation_strength),
  link_type: Type.Optional(LinkBody.properties.link_type),
  attribution_method: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
  supersedes: Type.Optional(Id('lnk')),
});

const ChainVerified = Type.Object({
  chain: Type.Enum(['decisions', 'activity']),
  is_valid: Type.Boolean(),
  records_checked: Type.Integer(),
  erased_fields: Type.Integer(),
  head: Type.Object({ seq: Type.Integer(), hash: Type.String() }),
});

const ExportUpdated = Type.Object({
  export_id: Id('exp'),
  status: Type.Enum(['pending', 'running', 'complete', 'failed', 'expired']),
});

const Heartbeat = Type.Object({
  announcements_missed: Type.Boolean({
    description:
      'True if the position is older than the retained liability_estimate.updated, ' +
      'chain.verified and export.updated events: some of them were not sent.',
  }),
});

/** The data of each event type. */
export const STREAM_DATA = {
  'decision.recorded': DecisionRecorded,
  'financial_event.recorded': EventRecorded,
  'financial_event.deleted': EventDeleted,
  'link.created': LinkChange,
  'link.suggested': LinkChange,
  'link.confirmed': LinkChange,
  'link.rejected': LinkChange,
  'link.deleted': LinkChange,
  'liability_estimate.updated': LiabilityUpdate,
  'chain.verified': ChainVerified,
  'export.updated': ExportUpdated,
  heartbeat: Heartbeat,
} as const satisfies Record<string, TSchema>;

export type StreamType = keyof typeof STREAM_DATA;
export type StreamData<Name extends StreamType> = Static<(typeof STREAM_DATA)[Name]>;

export function isStreamType(name: string): name is StreamType {
  return Object.hasOwn(STREAM_DATA, name);
}

/** All event types, in documentation order. */
export const STREAM_TYPES: readonly StreamType[] = Object.keys(STREAM_DATA).filter(isStreamType);

/** A text frame of the stream. */
export const streamEvent = <Data extends TSchema>(type: StreamType, data: Data) =>
  Type.Object({
    id: Type.String({
      description: 'The position of the event. Send it as `after` to continue after the event.',
    }),
    type: Type.Literal(type),
    mode: Type.Enum([...MODES]),
    time: Timestamp,
    seq: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Position in the log of this type of event; null for a heartbeat.',
    }),
    data,
  });

/** A frame of any type, before its data is checked. */
export const StreamEvent = Type.Object({
  ...Type.Omit(streamEvent('heartbeat', Type.Unknown()), ['type']).properties,
  type: Type.Enum([...STREAM_TYPES]),
});
export type StreamEvent = Static<typeof StreamEvent>;

/** The types that a connection can filter by. */
const FILTERED_TYPES = STREAM_TYPES.filter((type) => type !== 'heartbeat');
const NAMES = FILTERED_TYPES.map((type) => type.replace('.', String.raw`\.`)).join('|');

/** The query of the handshake. */
export const StreamQuery = Type.Object(
  {
    types: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        pattern: `^(?:${NAMES})(?:,(?:${NAMES}))*$`,
        description: 'Only events of these types, separated by commas. Heartbeats are always sent.',
        'x-problem': `must be a comma-separated list of ${FILTERED_TYPES.join(', ')}`,
      }),
    ),
    agent_id: Type.Optional(
      Name('Only events about decisions of this agent. Events without a decision are left out.'),
    ),
    after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'The id of the last event received. The stream continues after it.',
      }),
    ),
    key: Type.Optional(
      Type.String({ description: 'The key, for clients that cannot send a header.' }),
    ),
    ticket: Type.Optional(Type.String({ description: 'A ticket, instead of a key.' })),
  },
  { additionalProperties: false },
);
export type StreamQuery = Static<typeof StreamQuery>;

/** The answer to a handshake. The events are described in /asyncapi.json. */
export const StreamOpened = Type.Null({ description: 'The connection is now a WebSocket.' });

/** The answer to POST /stream/tickets. */
export const StreamTicket = Type.Object({
  ticket: Type.String({
    description: 'Valid for one connection, as the query parameter `ticket`.',
  }),
  expires_at: Timestamp,
});
export type StreamTicket = Static<typeof StreamTicket>;
