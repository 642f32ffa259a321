import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../server/test/support/paths.js';

const REFERENCE = join(ROOT, 'packages/server/dist/site/reference');
const ENTITIES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&amp;': '&' };

/** The example requests of every operation, by language. */
const examples = readdirSync(REFERENCE)
  .filter((name) => name.endsWith('.html') && name !== 'index.html')
  .map((name) => ({ name, html: readFileSync(join(REFERENCE, name), 'utf8') }))
  .map(({ name, html }) => ({
    name,
    ts: codeOf(html, 'TypeScript'),
    python: codeOf(html, 'Python'),
  }));

function codeOf(html: string, language: string): string {
  const [, block = ''] = html.split(`data-name="${language}"`);
  const [, code = ''] = /<code>([\s\S]*?)<\/code>/.exec(block) ?? [];
  return code
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(lt|gt|quot|#x27|amp);/g, (entity) => Object(ENTITIES)[entity]);
}

describe('The example request of each operation', () => {
  it('Is valid TypeScript', () => {
    expect(examples.length).toBeGreaterThan(60);
    const wrong = examples.filter(({ ts: code }) => {
      const { diagnostics = [] } = ts.transpileModule(code, { reportDiagnostics: true });
      return diagnostics.length > 0 || !code.startsWith('const response = await fetch(');
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it.skipIf(spawnSync('python3', ['--version']).status !== 0)('Is valid Python', () => {
    const check = 'import ast, json, sys\nfor code in json.load(sys.stdin): ast.parse(code)';
    const input = JSON.stringify(examples.map(({ python }) => python));
    const { status, stderr } = spawnSync('python3', ['-c', check], { input, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(examples.filter(({ python }) => !python.includes('urlopen'))).toEqual([]);
  });
});
