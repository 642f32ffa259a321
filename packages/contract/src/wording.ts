import { type SchemaNode, typeOf } from './schema-node.js';

/** What a value must be, in plain words: `must be a whole number from 1 to 500`. */
export function wantedBy(node: SchemaNode): string {
  return node['x-problem'] ?? `must be ${phrase(node)}`;
}

function phrase(node: SchemaNode): string {
  const problem = node['x-problem'];
  if (problem !== undefined) return problem.replace(/^must be /, '');
  if (node.anyOf !== undefined) return node.anyOf.map(phrase).join(', or ');
  if (node.const !== undefined) return quoted(node.const);
  if (node.enum?.length === 1) return quoted(node.enum[0]);
  if (node.enum !== undefined) return `one of ${node.enum.join(', ')}`;
  switch (node.type) {
    case 'string':
      return `a string${sized(node.minLength, node.maxLength, 'characters')}`;
    case 'array':
      return `an array${sized(node.minItems, node.maxItems, 'items')}`;
    case 'object':
      return `an object${sized(undefined, node.maxProperties, 'members')}`;
    case 'integer':
      return `a whole number${range(node)}`;
    case 'number':
      return `a number${range(node)}`;
    case 'boolean':
      return 'true or false';
    default:
      return node.type ?? 'something else';
  }
}

/** A text in backticks; true, false, a number and null as they are. */
function quoted(value: unknown): string {
  return typeof value === 'string' ? `\`${value}\`` : String(value);
}

function sized(min: number | undefined, max: number | undefined, of: string): string {
  if (max === undefined) return (min ?? 0) > 0 ? ` of at least ${min} ${of}` : '';
  return (min ?? 0) > 0 ? ` of ${min} to ${max} ${of}` : ` of at most ${max} ${of}`;
}

function range({ minimum, exclusiveMinimum, maximum }: SchemaNode): string {
  const above = exclusiveMinimum === undefined ? '' : ` above ${exclusiveMinimum}`;
  if (above !== '') return maximum === undefined ? above : `${above}, up to ${maximum}`;
  if (minimum === undefined) return maximum === undefined ? '' : ` of at most ${maximum}`;
  return maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`;
}

/**
 * The remedy for a common mistake, to be appended to `wantedBy`; empty if none is recognised.
 * @param isOptional whether the value may be left out
 */
export function remedyFor(node: SchemaNode, value: unknown, isOptional: boolean): string {
  if (value === null) return isOptional ? '; leave it out where there is none' : '';
  if (typeof value === 'string') return remedyForText(node, value);
  if (typeof value === 'number' && isText(node)) {
    return acceptsTime(node) ? '; Unix times are not accepted' : '; put it in quotes';
  }
  return Array.isArray(value) && node.type !== 'object' ? '; give one, not a list' : '';
}

const MAX_CHECKED_CHARS = 100;

/** A number in JSON notation. */
export const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function remedyForText(node: SchemaNode, text: string): string {
  if (text.length > MAX_CHECKED_CHARS) return '';
  const isNumber = node.type === 'number' || node.type === 'integer';
  if (isNumber && NUMBER.test(text)) return '; send it without quotes';
  if (node.type === 'boolean' && /^(?:true|false)$/.test(text)) return '; send it without quotes';
  if (acceptsTime(node)) return remedyForTime(node, text);
  const meant = node.enum?.find((member) => normalise(String(member)) === normalise(text));
  return meant === undefined ? '' : `; write ${meant}`;
}

/** Common mistakes in a time, by pattern. */
const TIME_MISTAKES: readonly (readonly [pattern: RegExp, remedy: string])[] = [
  [/^[-\d]+[Tt ][\d:.]+ \d\d:?\d\d$/, 'in a URL, write the + of the offset as %2B'],
  [/^[-\d]+[Tt]\d\d:\d\d:60/, 'leap seconds are not accepted'],
  [/^\d{4}-\d\d-\d\d \d/, 'put a T between day and time'],
  [/^[-\d]+[Tt]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/, 'add Z or an offset such as +02:00'],
  [/^[-\d]+[Tt]\d\d:\d\d(?:Z|[-+])/, 'add the seconds'],
  [/[-+](?:\d\d|\d{4})$/, 'write the offset as +02:00'],
  [/^\d{1,4}[/.]\d{1,2}[/.]\d{1,4}/, 'write year, month and day with hyphens'],
  [/^\d{9,16}$/, 'Unix times are not accepted'],
];

function remedyForTime(node: SchemaNode, text: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  if (isDay) {
    const isAccepted = node.format !== 'date-time';
    return isAccepted ? '; there is no such day' : '; add a time and an offset, such as T00:00:00Z';
  }
  const remedy = TIME_MISTAKES.find(([pattern]) => pattern.test(text))?.[1];
  return remedy === undefined ? '' : `; ${remedy}`;
}

function acceptsTime(node: SchemaNode): boolean {
  const formats = [node, ...(node.anyOf ?? [])].map(({ format }) => format);
  return formats.includes('date-time') || formats.includes('date');
}

function isText(node: SchemaNode): boolean {
  const types = (node.anyOf ?? [node]).map(({ type }) => type);
  return types.includes('string') || typeOf(node.const ?? node.enum?.[0]) === 'string';
}

/** The problem of an unknown member, with a suggestion if a known name is similar. */
export function unknownMember(name: string, known: readonly string[]): string {
  const meant =
    name.length > MAX_CHECKED_CHARS
      ? undefined
      : known.find((one) => normalise(one) === normalise(name));
  return meant === undefined
    ? 'is not a known field: remove it'
    : `is not a known field: write ${meant}`;
}

/** Reduces a name to lower-case letters and digits, to find similar names. */
function normalise(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
