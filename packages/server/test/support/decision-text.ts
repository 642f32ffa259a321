import { decision } from './client.js';

/** Raw JSON text of each field, so that a case can contain what JSON.stringify never writes. */
export type Fields = Readonly<Record<string, string | null>>;

/** A valid body as text, with these fields replaced; null omits one. */
export function bodyText(fields: Fields, good: object = decision()): string {
  const texts = Object.entries(good).map(([name, value]) => [name, JSON.stringify(value)]);
  const all = { ...Object.fromEntries(texts), ...fields };
  const members = Object.entries(all).flatMap(([name, text]) =>
    typeof text === 'string' ? [`${JSON.stringify(name)}:${text}`] : [],
  );
  return `{${members.join(',')}}`;
}

export const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
export const text = (characters: string, times: number) => JSON.stringify(characters.repeat(times));
/** An object whose canonical JSON has this many bytes. */
export const sized = (bytes: number) => `{"a":"${'x'.repeat(bytes - '{"a":""}'.length)}"}`;

export const BACKSLASH = '\\';
export const LONE_HIGH = `${BACKSLASH}ud83d`;
export const LONE_LOW = `${BACKSLASH}ude00`;
export const ZERO = `${BACKSLASH}u0000`;
export const FIELD_BYTES = 256 * 1024;
