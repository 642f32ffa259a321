import { Type } from 'typebox';

/** The version of the interface specification that the API implements. */
export const INTERFACE_VERSION = '0.14.0';

export const Version = Type.Object({
  version: Type.String({ description: 'The release that is running.' }),
  interface: Type.String({
    description: 'The version of the interface specification that the API implements.',
  }),
});
export const Health = Type.Object({ status: Type.Literal('ok') });
