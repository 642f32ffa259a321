/** An RFC 7396 merge patch of an object: absent members stay, null resets one, and lists are replaced. */
export type MergePatch<Value extends object> = string extends keyof Value
  ? { readonly [Name in keyof Value]: Patched<Value[Name]> | null }
  : { readonly [Name in keyof Value]?: Patched<Value[Name]> | null };

type Patched<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? MergePatch<Value>
    : Value;
