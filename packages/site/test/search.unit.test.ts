import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { find, readIndex } from '@decision-ledger/site/search';
import { SYNONYMS } from '@decision-ledger/site/synonyms';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../server/test/support/paths.js';

const ASSETS = join(ROOT, 'packages/server/dist/site/assets');
const [file = ''] = readdirSync(ASSETS).filter((name) => /^index-\w+\.json$/.test(name));
const index = readIndex(readFileSync(join(ASSETS, file), 'utf8'));

/** The pages of the first results. */
function pagesFor(query: string): string[] {
  const found: { address: string }[] = find(index, query);
  return found.slice(0, 8).map(({ address }) => address.split('#')[0] ?? '');
}

describe('The search of the documentation', () => {
  it.each([
    ['SSO', ['dashboard.html']],
    ['how do we log in with SAML', ['dashboard.html']],
    ['PII', ['erasure.html', 'client.html', 'security.html']],
    ['GDPR', ['erasure.html', 'compliance.html']],
    ['Excel', ['analytics.html', 'compliance.html', 'dashboard.html', 'start/finance.html']],
    ['k8s', ['deployment.html']],
    ['delete customer data', ['erasure.html']],
  ])('Finds the page for %s, whatever it calls it', (query, pages) => {
    expect(pagesFor(query).filter((page) => pages.includes(page))).not.toEqual([]);
  });

  it('Finds pages when a word of the query is nowhere', () => {
    const known = pagesFor('rotate signing key');
    expect(known.length).toBeGreaterThan(3);
    expect(pagesFor('rotate signing key zzyzx')).toEqual(known);
  });

  it('Reads a question as its telling words', () => {
    expect(pagesFor('how do I rotate the signing key')).toEqual(pagesFor('rotate signing key'));
  });

  it('Puts sections that match every word before those that match one', () => {
    const [first]: { title: string; page: string; start: string }[] = find(
      index,
      'idempotency conflict',
    );
    expect(first?.title).toBe('idempotency_conflict');
  });

  it('Finds a word that is spelt wrong, and nothing for one that is not there', () => {
    expect(pagesFor('idempotancy').length).toBeGreaterThan(0);
    expect(find(index, 'qqqqxxxx')).toEqual([]);
    expect(find(index, '')).toEqual([]);
  });

  it('Has no synonym that leads nowhere', () => {
    const targets = [...new Set(Object.values(SYNONYMS).flat())];
    expect(targets.filter((target) => find(index, target).length === 0)).toEqual([]);
  });
});
