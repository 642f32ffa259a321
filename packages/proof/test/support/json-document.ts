import fc from 'fast-check';

/** A JSON document as written, with details that a parsed value loses. */
export type Node =
  | { kind: 'array'; items: Node[] }
  | { kind: 'object'; members: [Word, Node][] }
  | { kind: 'string'; word: Word }
  | { kind: 'other'; token: string; isFaithful: boolean };

/** A string as written, without quotes. */
interface Word {
  value: string;
  written: string;
}

const good = ['a', 'b', 'c d', '', '10', 'é', '😀'].map((value) => ({ value, written: value }));
const tricky: Word[] = [
  { value: 'a', written: '\\u0061' },
  { value: '__proto__', written: '__proto__' },
  { value: '__proto__', written: '__prot\\u006f\\u005F_' },
  { value: '😀', written: '\\ud83d\\uDE00' },
  { value: '\ud83d', written: '\\uD83d' },
  { value: '\ude00x', written: '\\ude00x' },
  { value: 'x\u0000', written: 'x\\u0000' },
  { value: '\\u0000', written: '\\\\u0000' },
  { value: '":[{', written: '\\":[{' },
];

const word = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...good) },
  { weight: 1, arbitrary: fc.constantFrom(...tricky) },
);

const faithful = ['null', 'true', 'false', '0', '-0', '0.10', '1e3', '-12.5E-2', '0e-999'];
const tokens = [
  ...[...faithful, '9007199254740991', '0.30000000000000004', '1.000000000000000000000'].map(
    (token) => ({ token, isFaithful: true }),
  ),
  ...['9007199254740992', '1e16', '-1e999', '1e-999', '0.123456789012345678'].map((token) => ({
    token,
    isFaithful: false,
  })),
];

const node = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 7, depthSize: 'medium' },
    { weight: 4, arbitrary: fc.constantFrom(...tokens.slice(0, 12)).map(other) },
    { weight: 1, arbitrary: fc.constantFrom(...tokens).map(other) },
    { weight: 2, arbitrary: word.map((w): Node => ({ kind: 'string', word: w })) },
    {
      weight: 4,
      arbitrary: fc
        .array(tie('node'), { maxLength: 4 })
        .map((items): Node => ({ kind: 'array', items })),
    },
    {
      weight: 4,
      arbitrary: fc
        .array(fc.tuple(word, tie('node')), { maxLength: 4 })
        .map((members): Node => ({ kind: 'object', members })),
    },
  ),
})).node;

export const document = fc.record({
  node,
  layout: fc.constantFrom('', ' ', '\n\t', '\r\n  '),
});

export function print(root: Node, space: string): string {
  const list = (items: string[]) => items.join(`${space},${space}`);
  switch (root.kind) {
    case 'array':
      return `[${space}${list(root.items.map((item) => print(item, space)))}]`;
    case 'object':
      return `{${list(
        root.members.map(([key, value]) => `"${key.written}"${space}:${print(value, space)}`),
      )}${space}}`;
    case 'string':
      return `"${root.word.written}"`;
    case 'other':
      return root.token;
  }
}

/** Path of the first problem in reading order, or null. */
export function firstProblem(root: Node, maxDepth: number, path = ''): string | null {
  switch (root.kind) {
    case 'other':
      return root.isFaithful ? null : path;
    case 'string':
      return isWhole(root.word.value) ? null : path;
    case 'array': {
      if (maxDepth === 0) {
        return path;
      }
      const found = root.items.map((item, i) => firstProblem(item, maxDepth - 1, `${path}[${i}]`));
      return found.find((problem) => problem !== null) ?? null;
    }
    case 'object':
      return maxDepth === 0 ? path : firstInMembers(root.members, maxDepth - 1, path);
  }
}

function firstInMembers(members: [Word, Node][], maxDepth: number, path: string): string | null {
  const seen: string[] = [];
  for (const [{ value: key }, value] of members) {
    const isName = /^[a-zA-Z_]+$/.test(key);
    const step = isName ? `${path === '' ? '' : '.'}${key}` : `[${JSON.stringify(key)}]`;
    if (!isWhole(key) || key === '__proto__' || seen.includes(key)) {
      return path + step;
    }
    seen.push(key);
    const problem = firstProblem(value, maxDepth, path + step);
    if (problem !== null) {
      return problem;
    }
  }
  return null;
}

function isWhole(text: string): boolean {
  return !/\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(
    text,
  );
}

function other({ token, isFaithful }: { token: string; isFaithful: boolean }): Node {
  return { kind: 'other', token, isFaithful };
}
