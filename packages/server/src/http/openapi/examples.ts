import { readFileSync } from 'node:fs';
import { type Members, membersOf, type Node, plainJson } from './components.js';

/** Recorded answers of the service, by the name of their schema. */
let examples: Members | undefined;

/** The example of a named schema, read once; undefined if there is none. */
export function exampleOf(name: string): Node | undefined {
  examples ??= membersOf(
    plainJson(
      JSON.parse(readFileSync(new URL('../../../openapi/examples.json', import.meta.url), 'utf8')),
    ),
  );
  return examples[name];
}

export function withExample(schema: Members, example: Node | undefined): Members {
  return example === undefined ? schema : { ...schema, examples: [example] };
}

/** Adds the example of what a media type holds, which follows from those of the named schemas. */
export function exampleOfContent(media: Members): Members {
  const example = exampleOfSchema(membersOf(media.schema));
  return example === undefined ? media : { ...media, example };
}

const REFERENCE = /^#\/components\/schemas\/(\w+)$/;

function exampleOfSchema(schema: Members): Node | undefined {
  const [, name] = REFERENCE.exec(String(schema.$ref)) ?? [];
  if (name !== undefined) return exampleOf(name);
  const { data, meta } = membersOf(schema.properties);
  if (data === undefined || meta === undefined) return undefined;
  const [shown, about] = [exampleOfSchema(membersOf(data)), exampleOfSchema(membersOf(meta))];
  return shown === undefined || about === undefined ? undefined : { data: shown, meta: about };
}
