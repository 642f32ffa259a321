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
      const texts = await mapInTurns(rows, writer.writeRow);
      // A text cannot contain this: its quotes are escaped.
      const empty = `"${writer.name}":[]`;
      const at = rest.indexOf(empty) + empty.length - 1;
      reply.serializer(() => `${rest.slice(0, at)}${texts.join()}${rest.slice(at)}`);
      return payload;
    };
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
