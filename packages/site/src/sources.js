import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, SECTIONS } from './navigation.js';
import { errorPage, errorSections } from './reference/error.js';
import { operationPage } from './reference/operation.js';

/**
 * All pages as Markdown, with the section of the menu that they belong to.
 * @returns {{ source: string, address: string, text: string, label?: string, group?: string }[]}
 */
export function readSources(root, facts) {
  const written = SECTIONS.flatMap(({ pages }) => pages).map((source) => ({
    source,
    address: addressOf(source),
    text: readFileSync(join(root, `${source}.md`), 'utf8'),
  }));
  failOnUnlisted(root, written);
  const records = decisionRecords(root);
  return [...written, ...records, ...operations(facts), ...errors(facts, written)];
}

/** A page that nothing in the menu leads to would not be found. */
function failOnUnlisted(root, written) {
  const listed = new Set(written.map(({ source }) => source));
  const found = readdirSync(join(root, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md') && !/^decisions[\\/]\d/.test(name))
    .map((name) => `docs/${name.replaceAll('\\', '/').slice(0, -3)}`);
  const lost = found.filter((source) => !listed.has(source));
  if (lost.length > 0) {
    throw new Error(`packages/site/src/navigation.js does not list ${lost.join(', ')}`);
  }
}

function decisionRecords(root) {
  const names = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d.*\.md$/.test(name));
  return names.sort().map((name) => {
    const source = `docs/decisions/${name.slice(0, -3)}`;
    const text = readFileSync(join(root, `${source}.md`), 'utf8');
    return { source, address: addressOf(source), text };
  });
}

function operations({ endpoints, headers, examples }) {
  return endpoints.map((endpoint) => {
    const { operationId, tags } = endpoint.operation;
    return {
      source: `docs/reference/${operationId}`,
      address: `reference/${operationId}.html`,
      text: operationPage({ endpoint, headers, examples }),
      group: tags[0],
    };
  });
}

function errors({ errors: statuses, endpoints, examples }, written) {
  const page = written.find(({ source }) => source === 'docs/errors');
  const sections = errorSections(page.text);
  return Object.entries(statuses).map(([name, status]) => {
    const section = sections.get(name);
    if (section === undefined) throw new Error(`docs/errors.md has no section "### ${name}"`);
    // The links of the section lead from a folder deeper.
    const moved = section
      .replaceAll(/\]\((?!https?:|#)/g, '](../../')
      .replaceAll('](#', '](../../errors.md#');
    return {
      source: `docs/reference/errors/${name}`,
      address: `reference/errors/${name}.html`,
      text: errorPage({ name, status, section: moved, endpoints, examples }),
    };
  });
}
