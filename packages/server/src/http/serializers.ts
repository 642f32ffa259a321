import build from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import type { TSchema } from 'typebox';

export type Serialize = (data: unknown) => string;

/** The serializers of this process by the text of their schema: the routes share those of failures. */
const serializers = new Map<string, Serialize>();

/** Compiles the serializer of a response on its first use: compiling all at a start takes half a second. */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema }) =>
  lazySerializer(schema);

export function lazySerializer(schema: TSchema): Serialize {
  let serialize: Serialize | undefined;
  return (data: unknown) => {
    serialize ??= serializerOf(schema);
    return serialize(data);
  };
}

function serializerOf(schema: TSchema): Serialize {
  const text = JSON.stringify(schema);
  const known = serializers.get(text);
  if (known !== undefined) return known;
  const serialize: Serialize = build(JSON.parse(text, simplify));
  serializers.set(text, serialize);
  return serialize;
}

/**
 * Writes a union of scalars as any value, and one of an object or array and null with `nullable`: for other
 * unions, the serializer compiles a validator, which takes a tenth of a second.
 */
function simplify(_name: string, node: unknown): unknown {
  if (typeof node !== 'object' || node === null || !('anyOf' in node)) return node;
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf)) return node;
  if (anyOf.every(isScalar)) return rest;
  const [one, ...more] = anyOf.filter(({ type }) => type !== 'null');
  const isJoined = more.length === 0 && typeof one.type === 'string';
  return isJoined ? { ...one, ...rest, nullable: true } : node;
}

const SCALARS = ['string', 'number', 'integer', 'boolean', 'null'];

/** An enumeration states no type. */
function isScalar(branch: { readonly type?: string; readonly enum?: unknown }): boolean {
  return branch.enum !== undefined || SCALARS.includes(branch.type ?? '');
}
