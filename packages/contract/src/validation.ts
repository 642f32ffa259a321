import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { invalidFields } from './errors.js';

/** Takes a value as it is, or throws `validation_error` with every field that is wrong. */
export type Check<Schema extends TSchema> = (value: unknown) => Static<Schema>;

interface Problem {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

/** How many problems one answer lists: enough to mend a batch, too few to be a burden. */
const MOST_FIELDS = 100;

// Of its own accord it ends a list after eight problems, each unknown field being one.
Settings.Set({ maxErrors: 2 * MOST_FIELDS });

/**
 * A check by a schema that neither coerces nor defaults nor drops anything. It is compiled when it is
 * first used: there are hundreds, and few processes use them all.
 * @param root what to call the value itself in an error, such as `body`
 */
export function checker<Schema extends TSchema>(schema: Schema, root: string): Check<Schema> {
  let compiled: ReturnType<typeof Compile<Schema>> | undefined;
  return (value) => {
    compiled ??= Compile(schema);
    const validator = compiled;
    if (validator.Check(value)) return value;
    throw invalidFields(fieldsOf(validator.Errors(value), root, schema));
  };
}

/**
 * The same for query strings, whose numbers and booleans arrive as text: they count where they are
 * written as in JSON. U+0000 is refused, since no stored text holds it.
 */
export function queryChecker<Schema extends TSchema>(schema: Schema): Check<Schema> {
  const check = checker(schema, 'query');
  const properties = new Map(Type.IsObject(schema) ? Object.entries(schema.properties) : []);
  return (value) => {
    const parameters = Object.entries(Object(value));
    const zero = parameters.filter((parameter) => parameter.join().includes('\u0000'));
    if (zero.length > 0) {
      const problem = ['must not hold the character U+0000'];
      throw invalidFields(Object.fromEntries(zero.map(([name]) => [name, problem])));
    }
    return check(
      Object.fromEntries(
        parameters.map(([name, text]) => [name, readText(properties.get(name), text)]),
      ),
    );
  };
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function readText(schema: TSchema | undefined, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const isNumber = Type.IsInteger(schema) || Type.IsNumber(schema);
  if (isNumber && NUMBER.test(text)) return Number(text);
  if (Type.IsBoolean(schema) && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** Maps the path of each field to what is wrong with it. */
function fieldsOf(
  problems: readonly Problem[],
  root: string,
  schema: TSchema,
): Record<string, string[]> {
  const fields = new Map<string, string[]>();
  const unknown = new Set<string>();
  const refused = new Set<string>();
  const add = (path: string, message: string) => {
    const messages = fields.get(path) ?? [];
    if (!messages.includes(message)) fields.set(path, [...messages, message]);
  };
  for (const problem of problems) {
    const { keyword, instancePath, params } = problem;
    if (fields.size >= MOST_FIELDS) break;
    const path = pathOf(instancePath);
    if (keyword === 'required') {
      for (const name of names(params, 'requiredProperties')) add(join(path, name), 'is required');
    } else if (keyword === 'additionalProperties') {
      for (const name of names(params, 'additionalProperties')) unknown.add(join(path, name));
    } else if (keyword === 'boolean') {
      refused.add(path);
    } else {
      add(path === '' ? root : path, explain(problem, schema));
    }
  }
  // The problem that names all unknown fields comes behind those of each, and may have been cut off.
  for (const path of [...(unknown.size > 0 ? unknown : refused)].slice(0, MOST_FIELDS))
    add(path, 'is not a known field: remove it');
  return Object.fromEntries(fields);
}

/**
 * A pattern says little to people: a schema may say in `x-problem` what it wants. An enumeration
 * names its members.
 */
function explain({ keyword, schemaPath, message, params }: Problem, schema: TSchema): string {
  const allowed = names(params, 'allowedValues');
  if (keyword === 'enum' && allowed.length > 0) return `must be one of ${allowed.join(', ')}`;
  if (keyword !== 'pattern') return message;
  const steps = schemaPath.split('/').slice(1);
  const own = steps.reduce<unknown>((at, step) => Reflect.get(Object(at), step), schema);
  const wanted: unknown = Reflect.get(Object(own), 'x-problem');
  return typeof wanted === 'string' ? wanted : message;
}

function names(params: object, key: string): string[] {
  const list: unknown = Reflect.get(params, key);
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
}

/** A JSON pointer as `decisions[3].confidence`. */
function pathOf(pointer: string): string {
  if (pointer === '') return '';
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), '');
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
