/** A member that was put there: `constructor` is an action type like any other. */
export function own<Value>(
  record: { readonly [name: string]: Value },
  name: string,
): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
