import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { ROOT } from './support/paths.js';

// Rules that the linter cannot express. Lengths, `any`, promises and imports are in biome.json.

const CLOCK = 'packages/server/src/platform/clock.ts';

const sources = filesIn('packages').filter((path) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path));
const everything = ['packages', 'scripts', 'benchmarks', 'evaluation']
  .flatMap(filesIn)
  .filter((path) => /\.(ts|js|mjs|sql)$/.test(path) && !path.endsWith('style.unit.test.ts'));

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

describe('Source files', () => {
  it('The source files are found', () => {
    expect(sources).toContain(CLOCK);
  });

  it('Sources take the time from the injected clock and randomness from a seedable source', () => {
    const found = sources
      .filter((path) => path !== CLOCK)
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
