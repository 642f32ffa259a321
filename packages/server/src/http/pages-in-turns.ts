import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { mapInTurns } from '../platform/in-turns.js';
import { lazySerializer, type Serialize } from './serializers.js';
import type { Http } from './types.js';

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
