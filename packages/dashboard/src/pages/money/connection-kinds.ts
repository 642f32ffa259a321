import type { AccountingConnection } from '@decision-ledger/client/api/settings-forms';

type KindName = AccountingConnection['kind'];

/** How the systems are written. */
export const KIND_NAMES: Readonly<Record<KindName, string>> = {
  hledger: 'hledger',
  quickbooks: 'QuickBooks Online',
  stripe: 'Stripe (fees and payouts)',
};

function isKnown(name: string): name is KindName {
  return Object.hasOwn(KIND_NAMES, name);
}

/** A field of the settings of a connection, as the description of the API has it. */
export interface Field {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** Answers have its mask; what is sent replaces it. */
  readonly isSecret: boolean;
  /** `lines`: a list of texts. `pairs`: texts by name, each on a line, as `name = text`. */
  readonly form: 'text' | 'number' | 'lines' | 'pairs' | 'choice';
  readonly choices: readonly string[];
  /** Empty if there is no default. */
  readonly preset: string;
}

/** What a kind of accounting connection needs. */
export interface Kind {
  readonly kind: KindName;
  /** Without `kind`. */
  readonly fields: readonly Field[];
}

/** The kinds of accounting connections, from the OpenAPI description of the service. */
export function kindsOf(description: unknown): Kind[] {
  const path = ['components', 'schemas', 'SettingsPatch', 'properties', 'accounting'];
  const list = branches(path.reduce(member, description)).find(
    (schema) => member(schema, 'items') !== undefined,
  );
  return branches(member(list, 'items')).flatMap(kindOf);
}

/** A kind that this page does not know yet is left to the API. */
function kindOf(schema: unknown): Kind[] {
  const properties = member(schema, 'properties');
  const required = texts(member(schema, 'required'));
  const kind = textOf(member(member(properties, 'kind'), 'const'));
  if (!isKnown(kind)) return [];
  const fields = Object.entries(recordOf(properties)).filter(([name]) => name !== 'kind');
  return [
    { kind, fields: fields.map(([name, field]) => fieldOf(name, field, required.includes(name))) },
  ];
}

function fieldOf(name: string, schema: unknown, isRequired: boolean): Field {
  const choices = texts(member(schema, 'enum'));
  const preset = member(schema, 'default');
  return {
    ...{ name, isRequired, choices },
    description: textOf(member(schema, 'description')),
    isSecret: member(schema, 'writeOnly') === true,
    form: formOf(member(schema, 'type'), choices),
    preset: typeof preset === 'number' || typeof preset === 'string' ? String(preset) : '',
  };
}

function formOf(type: unknown, choices: readonly string[]): Field['form'] {
  if (choices.length > 0) return 'choice';
  if (type === 'array') return 'lines';
  if (type === 'object') return 'pairs';
  return type === 'integer' || type === 'number' ? 'number' : 'text';
}

function branches(schema: unknown): unknown[] {
  const found = member(schema, 'anyOf');
  return Array.isArray(found) ? found : [schema];
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function recordOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** What a person typed, by the name of the field. */
export type Draft = Readonly<Record<string, string>>;

/** The values of a connection as a form shows them: a secret is empty, so that it is kept unless it is typed. */
export function draftOf({ fields }: Kind, connection: object): Draft {
  const values = fields.map(({ name, form, isSecret }) => {
    const value: unknown = Reflect.get(connection, name);
    if (isSecret || value === undefined) return [name, ''];
    if (form === 'pairs') return [name, pairsOf(value).join('\n')];
    return [name, form === 'lines' ? texts(value).join('\n') : String(value)];
  });
  return Object.fromEntries(values);
}

/**
 * The connection that a form describes. What is empty is left out, so that the service names what it lacks.
 * @param former the connection that is changed: the masks of its secrets keep them
 */
export function connectionOf(
  { kind, fields }: Kind,
  draft: Draft,
  former: AccountingConnection | null,
): AccountingConnection {
  const made: object = { kind };
  for (const { name, form, isSecret, preset } of fields) {
    const text = (draft[name] ?? preset).trim();
    const kept: unknown = isSecret && former !== null ? Reflect.get(former, name) : undefined;
    const value = text === '' ? kept : parsed(form, text);
    if (value !== undefined) Reflect.set(made, name, value);
  }
  if (!isOfKind(made)) throw new Error('a form made a connection of no kind');
  return made;
}

/** The service checks the fields of the kind, and says of each what is wrong with it. */
function isOfKind(made: object): made is AccountingConnection {
  return isKnown(textOf(member(made, 'kind')));
}

function pairsOf(value: unknown): string[] {
  return Object.entries(recordOf(value)).map(([name, text]) => `${name} = ${text}`);
}

function parsed(form: Field['form'], text: string): string | number | string[] | object {
  if (form === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  if (form !== 'lines' && form !== 'pairs') return text;
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  return form === 'lines' ? lines : Object.fromEntries(lines.map(pairIn));
}

/** The last sign divides: a name may contain others. What has none is refused by the service, as a name without text. */
function pairIn(line: string): [name: string, text: string] {
  const at = line.lastIndexOf('=');
  return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}
