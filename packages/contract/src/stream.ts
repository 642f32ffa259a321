import { type Static, type TSchema, Type } from 'typebox';
import { MODES } from './permissions.js';
import { Name, Timestamp } from './shared.js';
import { SELECTABLE_TYPES, STREAM_TYPES, type StreamType } from './stream-events.js';

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

/** One text frame of the stream. */
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

/** A frame of any type, with unchecked data. */
export const StreamEvent = Type.Object({
  ...Type.Omit(streamEvent('heartbeat', Type.Unknown()), ['type']).properties,
  type: Type.Enum([...STREAM_TYPES]),
});
export type StreamEvent = Static<typeof StreamEvent>;

const NAMES = SELECTABLE_TYPES.map((type) => type.replace('.', String.raw`\.`)).join('|');

/** The query of the handshake. */
export const StreamQuery = Type.Object(
  {
    types: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        pattern: `^(?:${NAMES})(?:,(?:${NAMES}))*$`,
        description: 'Only events of these types, separated by commas. Heartbeats are always sent.',
        'x-problem': `must be a comma-separated list of ${SELECTABLE_TYPES.join(', ')}`,
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
