import { type Static, Type } from 'typebox';
import { MODES, PERMISSIONS } from './permissions.js';
import { Settings } from './settings.js';
import { Id, Moment, Name, NextCursor, PageParameters, PersonName, Timestamp } from './shared.js';

const PermissionName = Type.Enum([...PERMISSIONS]);
const PermissionList = Type.Array(PermissionName, {
  minItems: 1,
  maxItems: PERMISSIONS.length,
  uniqueItems: true,
});
/** The agents that a key may record; at least one. */
const AgentList = Type.Array(Name('An agent.'), {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description:
    'The agents whose decisions the key may record. Only for a key with the permission `record` alone.',
});

const Expiry = Type.Union([Timestamp, Type.Null()]);

/** An API key without its secret. */
export const Key = Type.Object({
  key_id: Id('key'),
  name: Type.String(),
  mode: Type.Enum([...MODES]),
  permissions: PermissionList,
  agents: Type.Union([AgentList, Type.Null()], {
    description: 'The agents whose decisions it may record. Null: it has no such limit.',
  }),
  created_at: Timestamp,
  expires_at: Expiry,
  revoked_at: Expiry,
});
export type Key = Static<typeof Key>;

/** The body of POST /keys. The new key gets the mode of the key that makes the request. */
export const KeyBody = Type.Object(
  {
    name: Name('The purpose of the key.'),
    permissions: PermissionList,
    agents: Type.Optional(AgentList),
    expires_at: Type.Optional(Moment('When the key expires: in the future. Default: never.')),
  },
  { additionalProperties: false },
);
export type KeyBody = Static<typeof KeyBody>;

/** The answer to POST /keys. The secret is shown only here. */
export const IssuedKey = Type.Object({ ...Key.properties, key: Type.String() });
export type IssuedKey = Static<typeof IssuedKey>;

export const KeyPage = Type.Object({ keys: Type.Array(Key), next_cursor: NextCursor });
export type KeyPage = Static<typeof KeyPage>;

export const KeyQuery = Type.Object({ ...PageParameters }, { additionalProperties: false });
export type KeyQuery = Static<typeof KeyQuery>;

/** How the token of a session begins. */
export const TOKEN_PREFIX = 'lgs';

/** How long a session lasts, unless its key ends earlier. */
export const SESSION_HOURS = 8;

/** A person's session, without its token. It ends when it expires, or is revoked, or its key ends. */
export const Session = Type.Object({
  session_id: Id('ses'),
  name: Type.String({ description: 'The person.' }),
  key_id: Id('key', 'The key that opened the session.'),
  mode: Type.Enum([...MODES]),
  permissions: PermissionList,
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: Expiry,
});
export type Session = Static<typeof Session>;

/** The body of POST /sessions. */
export const SessionBody = Type.Object(
  {
    name: PersonName('The person who uses the session; recorded with what they change.'),
    permissions: Type.Optional(PermissionList),
  },
  { additionalProperties: false },
);
export type SessionBody = Static<typeof SessionBody>;

/** The answer to POST /sessions. The token is shown only here. */
export const OpenedSession = Type.Object({ ...Session.properties, token: Type.String() });
export type OpenedSession = Static<typeof OpenedSession>;

export const SessionPage = Type.Object({ sessions: Type.Array(Session), next_cursor: NextCursor });
export type SessionPage = Static<typeof SessionPage>;

export const SessionQuery = Type.Object({ ...PageParameters }, { additionalProperties: false });
export type SessionQuery = Static<typeof SessionQuery>;

const whole = (description: string) => Type.Integer({ description });

/** The answer to GET /me: who calls, and what they may do. */
export const Me = Type.Object({
  organisation: Type.Object({ org_id: Id('org'), name: Type.String() }),
  ledger_id: Id('led'),
  mode: Key.properties.mode,
  permissions: Key.properties.permissions,
  key: Type.Object(
    { key_id: Id('key'), name: Type.String(), expires_at: Expiry },
    { description: 'The key of the request, or the one that opened the session.' },
  ),
  session: Type.Union([Type.Pick(Session, ['session_id', 'name', 'expires_at']), Type.Null()], {
    description: 'Null for a request with a key.',
  }),
  limits: Type.Object({
    rate_limits: Settings.properties.rate_limits,
    body_bytes: whole('The largest body.'),
    batch_body_bytes: whole('The largest body of a batch.'),
    batch_decisions: whole('The most decisions in a batch.'),
    payload_field_bytes: whole(
      'The most bytes of each of inputs, outputs, alternatives and metadata, as canonical JSON.',
    ),
    page_max: whole('The largest page of a list.'),
  }),
});
export type Me = Static<typeof Me>;
