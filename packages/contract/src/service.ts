import { Type } from 'typebox';

export const Version = Type.Object({ version: Type.String() });
export const Health = Type.Object({ status: Type.Literal('ok') });
