import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ERROR_STATUS } from '@decision-ledger/contract/errors';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../server/test/support/paths.js';

const SITE = join(ROOT, 'packages/server/dist/site');
const pages = readdirSync(SITE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html'))
  .map((path) => ({ path, html: readFileSync(join(SITE, path), 'utf8') }));
const anchors = new Map(pages.map(({ path, html }) => [path, idsOf(html)]));

function idsOf(html: string): string[] {
  return Array.from(html.matchAll(/\sid="([^"]*)"/g), ([, id = '']) => id);
}

/** The problems of every page, by a check of one. */
function problems(check: (page: { path: string; html: string }) => string[]): string[] {
  return pages.flatMap((page) => check(page).map((problem) => `${page.path}: ${problem}`));
}

/** Whether a link of a page leads to a file of the site, and to an anchor on it. */
function isDead(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const named = path === '' ? from : posix.join(posix.dirname(from), path);
  const target = named.endsWith('/') || named === '.' ? posix.join(named, 'index.html') : named;
  if (!existsSync(join(SITE, target))) return true;
  return anchor !== undefined && anchors.get(target)?.includes(decodeURIComponent(anchor)) !== true;
}

describe('The built documentation', () => {
  it('Holds every page of the repository, every operation and every error', () => {
    const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
    const expected = docs
      .filter((name) => name.endsWith('.md'))
      .map((name) => name.replace('.md', '.html').replace('README', 'index'));
    const released = join(ROOT, 'packages/server/test/http/released-openapi.json');
    // What the service sends comes after its operations.
    const [description = ''] = readFileSync(released, 'utf8').split('"webhooks"', 1);
    const operations = description.matchAll(/"operationId":\s*"(\w+)"/g);
    expected.push(...Array.from(operations, ([, id = '']) => `reference/${id}.html`));
    expected.push(...Object.keys(ERROR_STATUS).map((code) => `reference/errors/${code}.html`));
    const paths = pages.map(({ path }) => path);
    expect(expected.length).toBeGreaterThan(100);
    expect(expected.filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('The menu and the list of operations lead to every page', () => {
    const from = (path: string) => {
      const html = readFileSync(join(SITE, path), 'utf8');
      const links = Array.from(html.matchAll(/href="([^"#]+\.html)"/g), ([, href = '']) => href);
      return links.map((href) => posix.join(posix.dirname(path), href));
    };
    const found = new Set(['index.html', 'reference/index.html', 'errors.html'].flatMap(from));
    const records = /^(decisions\/\d|reference\/errors\/)/;
    const lost = pages.map(({ path }) => path).filter((path) => !found.has(path));
    expect(lost.filter((path) => !records.test(path))).toEqual([]);
  });

  it('No link or picture leads nowhere', () => {
    expect(
      problems(({ path, html }) =>
        Array.from(html.matchAll(/\s(?:href|src|data-index)="([^"]*)"/g), ([, link = '']) => link)
          .filter((link) => !/^(https?:|mailto:)/.test(link))
          .filter((link) => isDead(path, link)),
      ),
    ).toEqual([]);
  });

  it('A link that names an operation leads to its page', () => {
    const named = /href="([^"]*)"><code>(?:GET|POST|PATCH|DELETE) \//g;
    const links = ({ html }: { html: string }) =>
      Array.from(html.matchAll(named), ([, to = '']) => to);
    expect(problems((page) => links(page).filter((to) => to.endsWith('#reference')))).toEqual([]);
    const { html = '' } = pages.find(({ path }) => path === 'reference/index.html') ?? {};
    const operations = pages.filter(({ path }) => /^reference\/(?!index)\w+\.html$/.test(path));
    const unlisted = operations.filter(({ path }) => !html.includes(`/${path.split('/')[1]}"`));
    expect(operations.length).toBeGreaterThan(0);
    expect(unlisted.map(({ path }) => path)).toEqual([]);
  });

  it('The accuracy page offers its figures as a data file', () => {
    const { html = '' } = pages.find(({ path }) => path === 'attribution-evaluation.html') ?? {};
    const [, file = ''] = /href="([^"]*\.csv)"/.exec(html) ?? [];
    const published = join(ROOT, 'docs/data/attribution-evaluation.csv');
    expect(readFileSync(join(SITE, file), 'utf8')).toBe(readFileSync(published, 'utf8'));
  });

  it('Anchors are unique on their page', () => {
    expect(
      problems(({ html }) => idsOf(html).filter((id, at, all) => all.indexOf(id) !== at)),
    ).toEqual([]);
  });

  it('Nothing is inline, and nothing is loaded from another host', () => {
    const loaded = /<(?:script|img|link)\b[^>]*(?:src|href)="https?:[^"]*"/g;
    const inline = /<style\b|\sstyle="|\son\w+="|<script(?![^>]*\ssrc=)[^>]*>/g;
    expect(
      problems(({ html }) => [...(html.match(loaded) ?? []), ...(html.match(inline) ?? [])]),
    ).toEqual([]);
  });

  it('Headings begin with one of the first level and skip none', () => {
    expect(
      problems(({ html }) => {
        const article = html.slice(html.indexOf('<article>'), html.indexOf('</article>'));
        const levels = Array.from(article.matchAll(/<h([1-6])\b/g), ([, level]) => Number(level));
        const skips = levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1);
        const tops = levels.filter((level) => level === 1);
        return skips.length > 0 || tops.length !== 1 ? [`levels ${levels.join(' ')}`] : [];
      }),
    ).toEqual([]);
  });

  it('Every picture has a text in its place', () => {
    expect(
      problems(({ html }) =>
        (html.match(/<img\b[^>]*>/g) ?? []).filter((image) => !/\salt="[^"]{10,}"/.test(image)),
      ),
    ).toEqual([]);
  });
});
