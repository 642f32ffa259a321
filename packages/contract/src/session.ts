import { type Static, Type } from 'typebox';
import { Expiry, PermissionList } from './key.js';
import { MODES } from './permissions.js';
import { Id, NextCursor, PageParameters, PersonName, Timestamp } from './shared.js';

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
