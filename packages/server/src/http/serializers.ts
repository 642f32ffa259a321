import build from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import type { TSchema } from 'typebox';

type Serialize = (data: unknown) => string;

/** The serializers of this process by the text of their schema: the routes share those of failures. */
const serializers = new Map<string, Serialize>();

/** Compiles the serializer of a response on its first use: compiling all at a start takes half a second. */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  let serialize: Serialize | undefined;
  return (data: unknown) => {
    serialize ??= serializerOf(schema);
    return serialize(data);
  };
};

function serializerOf(schema: TSchema): Serialize {
  const text = JSON.stringify(schema);
  const known = serializers.get(text);
  if (known !== undefined) return known;
  const serialize: Serialize = build(schema);
  serializers.set(text, serialize);
  return serialize;
}
