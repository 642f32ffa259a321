import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import { expect, test } from 'vitest';

// The documented examples of the public packages: they exist, they compile, and their results are true.

const PACKAGES = resolve(import.meta.dirname, '../..');
/** Packages whose public functions and classes must have an example. */
const REQUIRED = ['proof', 'verifier', 'client', 'embedded'];
const DOCUMENTED = [...REQUIRED, 'contract', 'numerics'];

/** Functions and classes that only other packages of this repository call. */
const EXEMPT = [
  ...['proof/activityText', 'proof/custodyText', 'proof/decisionText', 'proof/isDisclosure'],
  'proof/manifestText',
  ...['proof/parseChainPoint', 'proof/parseRunStart'],
  ...['verifier/Findings', 'verifier/differencesOfUse', 'verifier/readUse', 'verifier/useOf'],
  ...['embedded/completeDatabaseFolder', 'embedded/diskIsFull', 'embedded/engineFailure'],
  ...['embedded/openDataFolder', 'embedded/lacksDatabase', 'embedded/beginDatabaseFolder'],
  ...['embedded/parseControl', 'embedded/sealControl', 'embedded/placeIn'],
  ...['embedded/startFailure', 'embedded/systemCode', 'embedded/unpackDatabase'],
  'embedded/writeAtomically',
  ...['verifier/main', 'verifier/verdictsIn'],
  ...['client/MarkedText', 'client/Pairs', 'client/copyPayload', 'client/degrade'],
  ...['client/exactSteps', 'client/isAt', 'client/markOmitted', 'client/objectAt'],
  ...['client/objectOf', 'client/omitted', 'client/readExactly', 'client/readJsonText'],
  'client/withMarks',
];

interface Example {
  /** Package and name of the declaration, such as `proof/leafHash`. */
  readonly owner: string;
  readonly code: string;
}

interface Compiled {
  readonly program: ts.Program;
  /** The owner of the example in each virtual file. */
  readonly owners: ReadonlyMap<string, string>;
}

/** The JSON of an expression and of its documented value; undefined for undefined. */
type Result = readonly [actual: string | undefined, documented: string | undefined];

const examples = DOCUMENTED.flatMap((name) =>
  sourcesOf(name).flatMap((text) => examplesIn(name, text)),
);
const compiled = programOf(examples);

/** The texts of the source files of a package. */
function sourcesOf(packageName: string): string[] {
  const folder = join(PACKAGES, packageName, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(folder, path), 'utf8'));
}

/** The example blocks of the top-level declarations in the source text of a module. */
function examplesIn(packageName: string, text: string): Example[] {
  if (!text.includes('@example')) return [];
  return parse(text).statements.flatMap((statement) => {
    const owner = `${packageName}/${nameOf(statement)}`;
    const comments = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc);
    return comments.flatMap((comment) => codeBlocks(comment).map((code) => ({ owner, code })));
  });
}

function codeBlocks(comment: ts.JSDoc): string[] {
  const text = comment.getText().replaceAll(/^ \* ?/gm, '');
  return [...text.matchAll(/^@example\n```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

function nameOf(statement: ts.Statement): string {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations[0]?.name.getText() ?? '';
  }
  const isNamed = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
  return (isNamed && statement.name?.text) || '';
}

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile('example.ts', text, ts.ScriptTarget.Latest, true);
}

/** The compiler's messages about the examples of a program, with their owners. */
function problemsOf({ program, owners }: Compiled): string[] {
  return [...owners].flatMap(([path, owner]) => {
    const file = program.getSourceFile(path);
    const found = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ];
    return found.map((one) => `${owner}: ${ts.flattenDiagnosticMessageText(one.messageText, ' ')}`);
  });
}

/** A program of the built public modules and of one virtual module per example. */
function programOf(blocks: readonly Example[]): Compiled {
  const path = join(PACKAGES, '../tsconfig.test.json');
  const read = ts.readConfigFile(path, (name) => ts.sys.readFile(name));
  const parsed = ts.parseJsonConfigFileContent(read.config, ts.sys, dirname(path));
  const options = { ...parsed.options, incremental: false, noUnusedLocals: false };
  const virtual = new Map(blocks.map(({ code }, index) => [exampleFile(index), code]));
  const host = ts.createCompilerHost(options, true);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => virtual.has(name) || fileExists(name);
  host.readFile = (name) => virtual.get(name) ?? readFile(name);
  host.getSourceFile = (name, language, ...rest) => {
    const code = virtual.get(name);
    return code === undefined
      ? getSourceFile(name, language, ...rest)
      : ts.createSourceFile(name, code, language, true);
  };
  const rootNames = [...REQUIRED.flatMap(publicModules), ...virtual.keys()];
  const owners = new Map(blocks.map(({ owner }, index) => [exampleFile(index), owner]));
  return { program: ts.createProgram({ rootNames, options, host }), owners };
}

function exampleFile(index: number): string {
  return join(PACKAGES, `proof/test/example-${index}.ts`).replaceAll('\\', '/');
}

/** What `exports` of a package.json holds: a path, or paths by condition. */
type Target = string | { readonly [condition: string]: Target };

/** The declaration files of the modules that the package exports. */
function publicModules(name: string): string[] {
  const manifest = readFileSync(join(PACKAGES, name, 'package.json'), 'utf8');
  const { exports }: { exports: Record<string, Target> } = JSON.parse(manifest);
  const paths = Object.values(exports).flatMap(declarationsOf);
  return [...new Set(paths)].map((path) => join(PACKAGES, name, path));
}

function declarationsOf(target: Target): string[] {
  if (typeof target === 'string') return [];
  const { types, ...others } = target;
  if (typeof types === 'string') return [types];
  return Object.values(others).flatMap(declarationsOf);
}

/** The functions and classes of the public modules of a package, such as `proof/leafHash`. */
function publicFunctions(packageName: string): string[] {
  const { program } = compiled;
  const checker = program.getTypeChecker();
  const symbols = publicModules(packageName).flatMap((path) => {
    const file = program.getSourceFile(path);
    const module = file && checker.getSymbolAtLocation(file);
    return module ? checker.getExportsOfModule(module) : [];
  });
  const found = symbols
    .map((symbol) =>
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    )
    .filter(({ flags }) => flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class))
    .map(({ name }) => `${packageName}/${name}`);
  return [...new Set(found)].sort();
}

/** Runs a block and evaluates each expression statement that a comment `// => value` follows. */
async function resultsOf(code: string): Promise<Result[]> {
  const scope = new Map<string, unknown>();
  const body: string[] = [];
  let found = 0;
  for (const statement of parse(code).statements) {
    const value = /^[ \n]*\/\/ => (.*)/.exec(code.slice(statement.end))?.[1];
    if (ts.isImportDeclaration(statement)) {
      await importInto(scope, statement);
    } else if (value !== undefined && ts.isExpressionStatement(statement)) {
      found += 1;
      const expression = statement.expression.getText();
      body.push(`results.push([JSON.stringify(${expression}), JSON.stringify(${value})]);`);
    } else {
      body.push(statement.getText());
    }
  }
  if (found !== documentedValues(code)) throw new Error(`A value has no expression:\n${code}`);
  const main = `const main = async () => { const results = [];\n${body.join('\n')}\nreturn results; };`;
  const script = ts.transpile(main, { target: ts.ScriptTarget.ES2023 });
  const makeMain = compileFunction(`${script}\nreturn main;`, [...scope.keys()]);
  const run: () => Promise<Result[]> = makeMain(...scope.values());
  return run();
}

function documentedValues(code: string): number {
  return code.split('// =>').length - 1;
}

/** Adds the imported values of a declaration with named imports. */
async function importInto(
  scope: Map<string, unknown>,
  { importClause, moduleSpecifier }: ts.ImportDeclaration,
): Promise<void> {
  const bindings = importClause?.namedBindings;
  if (!ts.isStringLiteral(moduleSpecifier) || !bindings || !ts.isNamedImports(bindings)) {
    throw new Error('An example that runs has only named imports');
  }
  const module: object = await import(/* @vite-ignore */ moduleSpecifier.text);
  for (const { name, propertyName } of bindings.elements) {
    scope.set(name.text, Reflect.get(module, (propertyName ?? name).text));
  }
}

test('Every public function and class has an example, except for those listed', () => {
  const all = REQUIRED.flatMap(publicFunctions);
  const shown = new Set(examples.map(({ owner }) => owner));
  expect(all).toContain('proof/canonicalJson');
  expect(all.filter((name) => !shown.has(name)).sort()).toEqual([...EXEMPT].sort());
});

test('Every example block is found', () => {
  const tags = DOCUMENTED.flatMap((name) => sourcesOf(name))
    .join('')
    .match(/^ *\* @example/gm);
  expect(examples).toHaveLength(tags?.length ?? 0);
});

test('All examples compile with the built types of the packages', () => {
  expect(problemsOf(compiled)).toEqual([]);
});

test('The compiler reports an example with a wrong type', () => {
  const code = "import { leafHash } from '@decision-ledger/proof/hash';\n\nleafHash(1);\n";
  expect(problemsOf(programOf([{ owner: 'proof/leafHash', code }]))).toEqual([
    expect.stringContaining('proof/leafHash: Argument of type'),
  ]);
});

test('Every documented result is the value of the expression before it', async () => {
  const running = examples.filter(({ code }) => documentedValues(code) > 0);
  expect(running.length).toBeGreaterThan(40);
  for (const { owner, code } of running) {
    for (const [actual, documented] of await resultsOf(code)) {
      expect.soft(actual, owner).toBe(documented);
    }
  }
});

test('A documented result that is wrong differs from the value', async () => {
  expect(await resultsOf("'a'.repeat(2); // => 'aa'\n[1, 2]; // => [1]\n")).toEqual([
    ['"aa"', '"aa"'],
    ['[1,2]', '[1]'],
  ]);
});

test('A documented result without an expression is refused', async () => {
  await expect(resultsOf('const a = 1; // => 1\n')).rejects.toThrow('no expression');
});
