import { posix } from 'node:path';

// The pages of the site, in the order of the menu. Pages that are missing here are at its end.

/** Sources are paths in the repository, without `.md`. */
export const SECTIONS = [
  {
    title: 'Start',
    pages: [
      'docs/index',
      'docs/start/engineer',
      'docs/start/finance',
      'docs/start/risk',
      'docs/start/compliance',
      'docs/start/operator',
      'docs/start/auditor',
      'docs/concepts',
      'docs/dashboard',
      'docs/comparison',
    ],
  },
  {
    title: 'Record decisions',
    pages: [
      'docs/client',
      'docs/python',
      'docs/integrations',
      'docs/values',
      'docs/mcp',
      'docs/otlp',
      'docs/guides/generated-clients',
      'docs/stripe',
      'docs/accounting',
    ],
  },
  {
    title: 'Attribute and estimate',
    pages: [
      'docs/movements',
      'docs/attribution',
      'docs/review',
      'docs/attribution-model',
      'docs/attribution-evaluation',
      'docs/analytics',
      'docs/outcomes',
      'docs/liability',
      'docs/liability-model',
      'docs/budgets',
      'docs/running-cost',
      'docs/experiments',
    ],
  },
  {
    title: 'Prove',
    pages: [
      'docs/security',
      'docs/integrity',
      'docs/transparency',
      'docs/evidence',
      'docs/verifier',
      'docs/format',
      'docs/presentations',
      'docs/compliance',
      'docs/insurance',
    ],
  },
  {
    title: 'Guides',
    pages: [
      'docs/guides/exports',
      'docs/guides/discovery',
      'docs/guides/rotation',
      'docs/alerts',
      'docs/erasure',
    ],
  },
  {
    title: 'Operate',
    pages: [
      'docs/install',
      'docs/operations',
      'docs/deployment',
      'docs/cluster',
      'docs/monitoring',
    ],
  },
  {
    title: 'Reference',
    pages: [
      'docs/api',
      'docs/reference/index',
      'docs/lists/commands',
      'docs/lists/settings',
      'docs/lists/findings',
      'docs/lists/metrics',
      'docs/errors',
      'docs/stream',
      'docs/configuration',
      'docs/command-line',
      'docs/data',
      'docs/compatibility',
    ],
  },
  {
    title: 'Project',
    pages: [
      'ARCHITECTURE',
      'CONTRIBUTING',
      'SECURITY',
      'CHANGELOG',
      'benchmarks/README',
      'vectors/README',
      'docs/decisions/README',
    ],
  },
];

/** The names of pages in the menu that are not their titles. */
export const LABELS = { 'docs/index': 'Overview' };

/** Where the page of a source is, below the root of the site. */
export function addressOf(source) {
  const inDocs = source.startsWith('docs/');
  const path = inDocs ? source.slice('docs/'.length) : `project/${source.toLowerCase()}`;
  return `${path.replace(/(^|\/)readme$/i, '$1index')}.html`;
}

/** The relative address from one page of the site to another. */
export function relative(from, to) {
  const up = '../'.repeat(from.split('/').length - 1);
  const target = `${up}${to}`;
  return target === '' ? './' : target;
}

/**
 * Turns the links of a page in the repository into those of the site.
 * @param pages addresses of the site, by the file in the repository
 * @param fileOf gives the address of a picture or data file of the repository, or undefined
 */
export function linkResolver({ source, address }, pages, fileOf) {
  return (link) => {
    if (/^(https?:|mailto:|#)/.test(link)) return link;
    const [path, anchor] = link.split('#');
    const file = posix.join(posix.dirname(`${source}.md`), decodeURI(path));
    const target = pages.get(file) ?? fileOf(file);
    // A file that is only in the repository, such as an example.
    if (target === undefined) return null;
    return `${relative(address, target)}${anchor === undefined ? '' : `#${anchor}`}`;
  };
}

/** The anchor of a heading, as the viewers of repositories make it. */
export function slug(heading) {
  const plain = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '');
  return plain.trim().replaceAll(/\s/g, '-');
}
