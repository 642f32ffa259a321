/** The members of a decision that hold its payload. */
const PAYLOAD_FIELDS = ['inputs', 'outputs', 'alternatives', 'metadata'] as const;

/** A path to a value: names joined by points, or the names. `*` matches any member or element. */
export type MaskPath = string | readonly string[];

/**
 * What is removed from a decision before it is queued, stored or sent:
 * - `paths`: these values are replaced
 * - `allow`: all other values of the payload are removed
 * - a function: gets a copy of the decision as JSON and returns what is recorded. If it throws, or
 *   returns no object, the payload is dropped and the decision kept.
 */
export type Mask =
  | { readonly paths: readonly MaskPath[]; readonly replacement?: string }
  | { readonly allow: readonly MaskPath[] }
  | ((decision: Record<string, unknown>) => unknown);

/** A tree of path segments; `end` marks the end of a path. */
interface Branch {
  readonly members: Map<string, Branch>;
  isEnd: boolean;
}

/**
 * Compiles a mask. The result may change its argument, and throws what a function throws.
 * @throws TypeError if a path is empty
 */
export function compileMask(mask: Mask): (decision: Record<string, unknown>) => unknown {
  if (typeof mask === 'function') return mask;
  if ('paths' in mask) {
    const tree = treeOf(mask.paths);
    const replacement = mask.replacement ?? '[masked]';
    return (decision) => replaceAt(decision, tree, replacement);
  }
  const tree = treeOf(mask.allow);
  return (decision) => keepPayload(decision, tree);
}

function treeOf(paths: readonly MaskPath[]): Branch {
  const root: Branch = { members: new Map(), isEnd: false };
  for (const path of paths) {
    const names = typeof path === 'string' ? path.split('.') : path;
    if (names.length === 0 || names.includes('')) {
      throw new TypeError('a path of the mask is empty: give names such as inputs.email');
    }
    let branch = root;
    for (const name of names) {
      const next = branch.members.get(name) ?? { members: new Map(), isEnd: false };
      branch.members.set(name, next);
      branch = next;
    }
    branch.isEnd = true;
  }
  return root;
}

function branchesAt(branches: readonly Branch[], name: string): Branch[] {
  return branches.flatMap(({ members }) =>
    [members.get(name), members.get('*')].filter((one) => one !== undefined),
  );
}

/** A member whose key is repeated has a number after it in the copy: what hides one, hides all. */
const unnumbered = (name: string) => name.replace(/ \([0-9]+\)$/, '');

function replaceAt(value: Record<string, unknown>, tree: Branch, replacement: string): unknown {
  const visit = (node: object, branches: readonly Branch[], parents: readonly string[]): void => {
    for (const [name, member] of Object.entries(node)) {
      const next = [...branchesAt(branches, name), ...branchesAt(branches, unnumbered(name))];
      if (next.length === 0) continue;
      const path = [...parents, name];
      if (next.some(({ isEnd }) => isEnd)) Reflect.set(node, name, standIn(path, replacement));
      else if (typeof member === 'object' && member !== null) visit(member, next, path);
    }
  };
  visit(value, [tree], []);
  return value;
}

/** What replaces a value: the service refuses a text in the place of a whole payload field. */
function standIn([field = '', ...rest]: readonly string[], replacement: string): unknown {
  if (field === 'alternatives') {
    if (rest.length === 0) return [];
    return rest.length === 1 ? {} : replacement;
  }
  const isWhole = rest.length === 0 && PAYLOAD_FIELDS.some((name) => name === field);
  return isWhole ? {} : replacement;
}

function keepPayload(decision: Record<string, unknown>, tree: Branch): unknown {
  for (const field of PAYLOAD_FIELDS) {
    if (decision[field] === undefined) continue;
    const kept = keptOf(decision[field], branchesAt([tree], field));
    const isRequired = field === 'inputs' || field === 'outputs';
    if (kept === undefined && !isRequired) delete decision[field];
    else decision[field] = kept ?? {};
  }
  return decision;
}

/** The allowed part of a value; undefined if there is none. */
function keptOf(value: unknown, branches: readonly Branch[]): unknown {
  if (branches.some(({ isEnd }) => isEnd)) return value;
  if (branches.length === 0 || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    return value
      .map((member, index) => keptOf(member, branchesAt(branches, String(index))))
      .filter((member) => member !== undefined);
  }
  const kept = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const part = keptOf(member, branchesAt(branches, name));
    return part === undefined ? [] : [[name, part]];
  });
  return Object.fromEntries(kept);
}
