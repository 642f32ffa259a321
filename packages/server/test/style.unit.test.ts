import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { ROOT } from './support/paths.js';

// Rules that the linter cannot express. Lengths, `any`, promises and imports are in biome.json.

const CLOCK = 'packages/server/src/platform/clock.ts';
const CLOCKS = [CLOCK, 'packages/client/src/platform.ts', 'packages/dashboard/src/app/clock.ts'];

const sources = filesIn('packages').filter((path) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path));
const tests = filesIn('packages').filter((path) => /^packages\/[^/]+\/test\/.*\.ts$/.test(path));
const everything = ['packages', 'scripts', 'benchmarks', 'evaluation']
  .flatMap(filesIn)
  .filter((path) => /\.(tsx?|js|mjs|sql)$/.test(path) && !path.endsWith('style.unit.test.ts'));

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(node_modules|dist)$/.test(entry.name) ? [] : filesIn(path);
    return entry.isFile() ? [relative('.', path)] : [];
  });
}

function linesMatching(path: string, pattern: RegExp): string[] {
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
  return lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : []));
}

/** Clock reads and randomness that cannot be seeded. */
function hiddenInputs(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isHiddenInput(node)) {
      found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isHiddenInput(node: ts.Node): boolean {
  if (ts.isNewExpression(node)) {
    return node.expression.getText() === 'Date' && (node.arguments?.length ?? 0) === 0;
  }
  if (ts.isCallExpression(node)) return node.expression.getText() === 'Date';
  return ts.isPropertyAccessExpression(node) && /^(Date\.now|Math\.random)$/.test(node.getText());
}

/** Titles of tests that are not a sentence of at least three words without a full stop. */
function looseTitles(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const title = ts.isCallExpression(node) && isTest(node.expression) ? node.arguments[0] : null;
    if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
      const words = title.getText().slice(1, -1).replaceAll('\\', '');
      if (!/^["'`“%$\dA-Z]\S*(\s+\S+){2,}$/.test(words) || words.endsWith('.')) {
        found.push(`${path}: ${words}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Whether this is `it` or `test`, alone or with modifiers such as `.each([…])`. */
function isTest(callee: ts.Node): boolean {
  if (ts.isIdentifier(callee)) return /^(it|test)$/.test(callee.text);
  if (ts.isPropertyAccessExpression(callee)) {
    const { name, expression } = callee;
    return /^(concurrent|each|for|runIf|skipIf)$/.test(name.text) && isTest(expression);
  }
  return ts.isCallExpression(callee) && isTest(callee.expression);
}

describe('Source files', () => {
  it('The source files are found', () => {
    expect(sources).toContain(CLOCK);
  });

  it('Sources take the time from the injected clock and randomness from a seedable source', () => {
    const found = sources
      .filter((path) => !CLOCKS.includes(path))
      .flatMap((path) => hiddenInputs(path, readFileSync(join(ROOT, path), 'utf8')));
    expect(found).toEqual([]);
  });

  it('Sources silence neither the compiler nor the linter', () => {
    const pattern = /@ts-(ignore|nocheck|expect-error)|biome-ignore/;
    expect(sources.flatMap((path) => linesMatching(path, pattern))).toEqual([]);
  });

  it('No file has an open to-do note', () => {
    expect(everything.flatMap((path) => linesMatching(path, /\b(TODO|FIXME|XXX|HACK)\b/))).toEqual(
      [],
    );
  });
});

describe('Test titles', () => {
  it('Every test is named by a sentence of at least three words without a full stop', () => {
    expect(tests).toContain('packages/server/test/style.unit.test.ts');
    const found = tests.flatMap((path) =>
      looseTitles(path, readFileSync(join(ROOT, path), 'utf8')),
    );
    expect(found).toEqual([]);
  });

  it.for([
    'it("is refused", f)',
    'it("Is refused", f)',
    'test("A body is refused.", f)',
    'it.each(["a body", "b"])("is refused with %s", f)',
    `it.skipIf(a).for(b)(\`is \${c} in words\`, f)`,
  ])('The search reports %s as a loose title', (code) =>
    expect(looseTitles('a.ts', code)).toHaveLength(1),
  );

  it.for([
    'it("A body is refused", f)',
    'it(name, f)',
    'it.for(a)("%s is refused", f)',
    `it(\`\${count} bodies are refused\`, f)`,
    'it("`a.json` is refused", f)',
    'test.post("/keys", body)',
    'describe("Bodies", f)',
  ])('The search allows %s as a title', (code) => expect(looseTitles('a.ts', code)).toEqual([]));
});

describe('Search for hidden inputs', () => {
  it.for([
    'Date.now()',
    'new Date()',
    'new Date',
    'Date()',
    'Math.random()',
    'f({ now: Date.now })',
  ])('The search finds %s as a hidden input', (code) =>
    expect(hiddenInputs('a.ts', `const x = ${code};`)).toEqual(['a.ts:1']),
  );

  it.for(['new Date(0)', 'Date.UTC(2026, 0)', 'Math.floor(1)', "'Date.now()'"])(
    'The search allows %s as a known input',
    (code) => expect(hiddenInputs('a.ts', `const x = ${code};`)).toEqual([]),
  );
});
