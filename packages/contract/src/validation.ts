import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { invalidFields } from './errors.js';
import { LIMITS } from './limits.js';
import { findProblems } from './problems.js';
import { NUMBER } from './wording.js';

/** Returns the value unchanged, or throws `validation_error` naming the invalid fields. */
export type Check<Schema extends TSchema> = (value: unknown) => Static<Schema>;

/**
 * A check that neither coerces, defaults nor drops anything. It is compiled on first use, because
 * few processes use all of the hundreds of checks.
 * @param root name of the value itself in errors, such as `body`
 * @example
 * ```ts
 * import { checker } from '@decision-ledger/contract/validation';
 * import { Type } from 'typebox';
 *
 * const check = checker(Type.Object({ agent_id: Type.String() }), 'body');
 * check({ agent_id: 'pricing' }); // => { agent_id: 'pricing' }
 * ```
 */
export function checker<Schema extends TSchema>(schema: Schema, root: string): Check<Schema> {
  let compiled: ReturnType<typeof Compile<Schema>> | undefined;
  return (value) => {
    compiled ??= Compile(schema);
    const validator = compiled;
    if (validator.Check(value)) return value;
    const problems = findProblems(schema, value, root, LIMITS.errorFields);
    if (Object.keys(problems).length > 0) throw invalidFields(problems);
    // Both read the same schema. If they ever disagree, the value is refused.
    throw invalidFields({ [root]: ['does not fit its schema'] });
  };
}

/**
 * A check for query strings. Numbers and booleans arrive as text and are accepted in JSON notation.
 * U+0000 is refused, because the database cannot store it.
 *
 * @example
 * ```ts
 * import { queryChecker } from '@decision-ledger/contract/validation';
 * import { Type } from 'typebox';
 *
 * const check = queryChecker(Type.Object({ limit: Type.Integer() }));
 * check({ limit: '50' }); // => { limit: 50 }
 * ```
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
