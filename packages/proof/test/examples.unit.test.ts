import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import { expect, test } from 'vitest';

// The documented examples of the public packages: they exist, they compile, and their results are true.

const PACKAGES = resolve(import.meta.dirname, '../..');
/** Packages whose public functions and classes must have an example. */
const REQUIRED = ['proof', 'verifier', 'client', 'embedded'];
const DOCUMENTED = [...REQUIRED, 'contract'];

/** Functions and classes that only other packages of this repository call. */
const EXEMPT = [
  ...['proof/activityText', 'proof/decisionText', 'proof/isDisclosure', 'proof/manifestText'],
  ...['proof/parseChainPoint', 'proof/parseRunStart'],
  ...['verifier/Findings', 'verifier/differencesOfUse', 'verifier/readUse', 'verifier/useOf'],
  ...['embedded/completeDatabaseFolder', 'embedded/diskFull', 'embedded/diskIsFull'],
  ...['embedded/openDataFolder', 'embedded/prepareDatabaseFolder', 'embedded/systemCode'],
  'embedded/unpackDatabase',
];

interface Example {
  /** Package and name of the declaration, such as `proof/leafHash`. */
  readonly owner: string;
  readonly code: string;
}

interface Expectation {
  /** The text of the expression, and that of its documented value. */
  readonly expression: string;
  readonly value: string;
}

const examples = DOCUMENTED.flatMap((name) =>
  globSync(join(PACKAGES, name, 'src/**/*.ts')).flatMap((path) =>
    examplesIn(name, readFileSync(path, 'utf8')),
  ),
);
const program = programOf(examples);

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
  const declaration = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations[0]
    : statement;
  const name = declaration && ts.getNameOfDeclaration(declaration);
  return name?.getText() ?? '';
}

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile('example.ts', text, ts.ScriptTarget.Latest, true);
}

/** A program of the built public modules and of one virtual module per example. */
function programOf(blocks: readonly Example[]): ts.Program {
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
  return ts.createProgram({ rootNames, options, host });
}

function exampleFile(index: number): string {
  return join(PACKAGES, `proof/test/example-${index}.ts`).replaceAll('\\', '/');
}

/** The declaration files of the modules that the package exports. */
function publicModules(name: string): string[] {
  const manifest = readFileSync(join(PACKAGES, name, 'package.json'), 'utf8');
  const { exports }: { exports: Record<string, string | { types: string }> } = JSON.parse(manifest);
  return Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [] : [join(PACKAGES, name, target.types)],
  );
}

/** The functions and classes of the public modules of a package, such as `proof/leafHash`. */
function publicFunctions(packageName: string): string[] {
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

/** The expression statements of a block that a `// => value` comment follows, by their end. */
function expectationsIn(code: string): Map<ts.Statement, Expectation> {
  const file = parse(code);
  const found = new Map<ts.Statement, Expectation>();
  for (const statement of file.statements) {
    const value = /^\s*\/\/ => (.*)$/m.exec(textAfter(code, statement))?.[1];
    if (value === undefined) continue;
    if (!ts.isExpressionStatement(statement)) throw new Error(`No value to compare: ${value}`);
    found.set(statement, { expression: statement.expression.getText(), value });
  }
  return found;
}

/** The rest of the statement's line and the next line, if that is a comment. */
function textAfter(code: string, statement: ts.Statement): string {
  return /^[^\n]*(?:\n\/\/ =>[^\n]*)?/.exec(code.slice(statement.end))?.[0] ?? '';
}

/** Runs a block and returns the JSON of each expression with the JSON of its documented value. */
async function resultsOf(code: string): Promise<unknown[]> {
  const expectations = expectationsIn(code);
  const documented = code.split('// =>').length - 1;
  if (documented !== expectations.size) throw new Error(`A value has no expression:\n${code}`);
  const scope = new Map<string, unknown>();
  let body = '';
  for (const statement of parse(code).statements) {
    if (ts.isImportDeclaration(statement)) await importInto(scope, statement);
    else body += withResults(statement, expectations.values());
  }
  const script = ts.transpile(`async () => { const results = [];\n${body}\nreturn results; }`, {
    target: ts.ScriptTarget.ES2023,
  });
  const run: () => Promise<unknown[]> = compileFunction(`return ${script}`, [...scope.keys()])(
    ...scope.values(),
  );
  return run();
}
