import build from 'fast-json-stringify';
import type { FastifyReply, FastifySerializerCompiler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { mapInTurns } from '../platform/in-turns.js';
import type { Http } from './types.js';

type Serialize = (data: unknown) => string;

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

/** How the answer of a route that lists rows is written. */
interface PageWriter {
  /** The name of the list in the data. */
  readonly name: string;
  readonly writeRow: Serialize;
  /** Of the answer without its rows. */
  readonly writeRest: Serialize;
}

/** Writes the rows of a page one by one, and serves other requests in between: a page may have megabytes. */
export function addPagesInTurns(app: Http): void {
  /** A serializer must return a text. */
  const written = new WeakMap<FastifyReply, Buffer>();
  app.addHook('onRoute', (route) => {
    const writer = writerOf(route.schema?.response);
    if (writer === null) return;
    route.preSerialization = async (_request, reply, payload) => {
      const rows = rowsOf(payload, writer.name);
      if (rows === null) return payload;
      const rest = writer.writeRest({
        ...Object(payload),
        data: { ...Object(payload).data, [writer.name]: [] },
      });
      // Encoded row by row, because encoding the whole answer takes long too.
      const pieces = await mapInTurns(rows, (row, at) =>
        Buffer.from(at === 0 ? writer.writeRow(row) : `,${writer.writeRow(row)}`),
      );
      // A text cannot contain this: its quotes are escaped.
      const empty = `"${writer.name}":[]`;
      const at = rest.indexOf(empty) + empty.length - 1;
      const [before, after] = [Buffer.from(rest.slice(0, at)), Buffer.from(rest.slice(at))];
      written.set(reply, Buffer.concat([before, ...pieces, after]));
      reply.serializer(() => '');
      return payload;
    };
    route.onSend = async (_request, reply, payload) => written.get(reply) ?? payload;
  });
}

/** @returns null for an answer without such a list, such as an error */
function rowsOf(payload: unknown, name: string): readonly unknown[] | null {
  const rows: unknown = Object(Object(payload).data)[name];
  return Array.isArray(rows) ? rows : null;
}

/** @returns null for a route whose answer is no page */
function writerOf(response: unknown): PageWriter | null {
  const answer: unknown = Object(response)[200];
  const schema: unknown = Object(answer).content?.['application/json']?.schema ?? answer;
  if (!isObject(schema)) return null;
  const data = schema.properties.data;
  if (!isObject(data) || !('next_cursor' in data.properties)) return null;
  for (const [name, list] of Object.entries(data.properties)) {
    if (Type.IsArray(list)) {
      return { name, writeRow: lazySerializer(list.items), writeRest: lazySerializer(schema) };
    }
  }
  return null;
}

function isObject(schema: unknown): schema is ReturnType<typeof Type.Object> {
  return Type.IsObject(schema);
}
