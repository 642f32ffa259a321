import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { invalidFields } from './errors.js';
import './formats.js';
import { LIMITS } from './limits.js';
import { findProblems } from './problems.js';
import { NUMBER } from './wording.js';

/** Takes a value as it is, or throws `validation_error` with every field that is wrong. */
export type Check<Schema extends TSchema> = (value: unknown) => Static<Schema>;

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
    const problems = findProblems(schema, value, root, LIMITS.errorFields);
    if (Object.keys(problems).length > 0) throw invalidFields(problems);
    // The two read the same schema and agree; were they not to, the check would have the last word.
    throw invalidFields({ [root]: ['does not fit its schema'] });
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

function readText(schema: TSchema | undefined, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const isNumber = Type.IsInteger(schema) || Type.IsNumber(schema);
  if (isNumber && NUMBER.test(text)) return Number(text);
  if (Type.IsBoolean(schema) && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}
