import { describe, expect, it } from 'vitest';
import { checkRequests, checkSnippets } from '../../../scripts/docs-snippets.js';

const FACTS = {
  endpoints: [
    {
      name: 'POST /links/{id}/confirm',
      method: 'POST',
      address: '/api/v1/links/{id}/confirm',
      operation: {
        parameters: [{ name: 'dry', in: 'query' }],
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { note: { type: 'string' } } },
            },
          },
        },
      },
    },
  ],
};

function pageWith(language: string, code: string) {
  return [{ path: 'page.md', text: `# Page\n\n\`\`\`${language}\n${code}\n\`\`\`\n` }];
}

describe('The checks of snippets', () => {
  it.each([
    ['json', '{"a": 1}', '{"a": }'],
    ['json', '{"a": …, "b": 2}', '{"a": …, b: 2}'],
    ['ts', 'const a: number = 1;', 'const a: = 1;'],
    ['js', 'await close();', 'await close(;'],
    ['sh', 'echo "$A"', 'if true; then echo'],
    ['python', 'x = await f()', 'def f(:'],
  ])('Code in %s that cannot be read is found with its page and line', (language, good, bad) => {
    expect(checkSnippets(FACTS, pageWith(language, good))).toEqual([]);
    const [problem, ...others] = checkSnippets(FACTS, pageWith(language, bad));
    expect(problem).toMatch(/^page\.md:3: .*cannot/);
    expect(others).toEqual([]);
  });

  it.each([
    ['curl -X POST "$API/links/$id/confirm?dry=1" -d \'{"note": "x"}\'', null],
    ['curl "$API/links/$id/confirm" -d \'{"note": "x"}\' | jq .', null],
    ['curl "$API/links/$id/confirm"', 'no GET /api/v1/links/$id/confirm'],
    ['curl -d "{}" http://127.0.0.1:8080/api/v1/link', 'no POST /api/v1/link'],
    ['curl -d "{}" "$API/links/1/confirm?wet=1"', 'no parameter wet'],
    ['curl "$API/links/1/confirm" \\\n  -d \'{"note": 7}\'', 'data/note must be string'],
    ['curl https://example.com/api', null],
  ])('A request that the API lacks is found: %s', (code, problem) => {
    const found = checkRequests(FACTS, pageWith('sh', code));
    if (problem === null) expect(found).toEqual([]);
    else expect(found.join()).toContain(problem);
  });
});
