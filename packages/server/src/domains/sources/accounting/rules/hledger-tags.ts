export type Tag = readonly [name: string, value: string];

/** `name:value`, where the value ends at a comma or the line (hledger manual, Tags). */
const TAG = /([^\s:,]+):([^,\n]*)/g;

/**
 * The tags in the comment of a posting or transaction. hledger adds the tags of the account directive,
 * which do not describe the posting: `type:` there is the type of the account.
 */
export function ownTags(tags: readonly Tag[], comment: string): readonly Tag[] {
  const own = new Set(
    Array.from(comment.matchAll(TAG), ([, name = '', value = '']) => `${name}:${value.trim()}`),
  );
  return tags.filter(([name, value]) => own.has(`${name}:${value}`));
}

/** The value of each tag, or the list of its values. */
export function tagMetadata(tags: readonly Tag[]): { [name: string]: string | string[] } {
  const values = new Map<string, string[]>();
  for (const [name, value] of tags) {
    const list = values.get(name) ?? [];
    if (!list.includes(value)) values.set(name, [...list, value]);
  }
  return Object.fromEntries(
    Array.from(values, ([name, list]) => [name, list.length === 1 ? list.join('') : list]),
  );
}
