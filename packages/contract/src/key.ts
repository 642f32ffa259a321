import { type Static, Type } from 'typebox';
import { MODES, PERMISSIONS } from './permissions.js';
import { Id, Moment, Name, NextCursor, PageParameters, Timestamp } from './shared.js';

const PermissionName = Type.Enum([...PERMISSIONS]);
export const PermissionList = Type.Array(PermissionName, {
  minItems: 1,
  maxItems: PERMISSIONS.length,
  uniqueItems: true,
});
export const Expiry = Type.Union([Timestamp, Type.Null()]);

/** An API key without its secret. */
export const Key = Type.Object({
  key_id: Id('key'),
  name: Type.String(),
  mode: Type.Enum([...MODES]),
  permissions: PermissionList,
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
