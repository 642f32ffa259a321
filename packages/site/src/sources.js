import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, LABELS, SECTIONS } from './navigation.js';
import { errorPage, errorSections } from './reference/error.js';
import { operationPage, overviewPage } from './reference/operation.js';

/**
 * All pages as Markdown, with the section of the menu that they belong to.
 * @returns {{ source: string, address: string, text: string, label?: string, group?: string }[]}
 */
export function readSources(root, facts) {
  const listed = SECTIONS.flatMap(({ pages }) => pages);
  const written = [...listed, ...unlisted(root)]
    .filter((source) => existsSync(join(root, `${source}.md`)))
    .map((source) => linkOperations(readSource(root, source), facts.endpoints));
  const overview = {
    source: 'docs/reference/index',
    address: 'reference/index.html',
    text: overviewPage(facts.endpoints),
  };
  const lists = Object.entries(facts.lists).map(([name, text]) => ({
    source: `docs/lists/${name}`,
    address: `lists/${name}.html`,
    text,
  }));
  const generated = [overview, ...lists, ...operations(facts), ...errors(facts, written)];
  return [...written, ...decisionRecords(root), ...generated];
}

function readSource(root, source) {
  const text = readFileSync(join(root, `${source}.md`), 'utf8');
  return { source, address: addressOf(source), label: LABELS[source], text };
}

/** Links to docs/api.md that name an operation lead to the page of the operation. */
function linkOperations(page, endpoints) {
  const ids = new Map(endpoints.map(({ name, operation }) => [name, operation.operationId]));
  const linked = (whole, name, folder) =>
    ids.has(name) ? `[\`${name}\`](${folder}reference/${ids.get(name)}.md)` : whole;
  const text = page.text.replaceAll(/\[`([^`]+)`\]\(([^)\s]*)api\.md#reference\)/g, linked);
  return { ...page, text };
}

/** Pages of the repository that the menu does not list; a check reports them. */
export function unlisted(root) {
  const listed = SECTIONS.flatMap(({ pages }) => pages);
  return readdirSync(join(root, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md') && !/^decisions[\\/]\d/.test(name))
    .map((name) => `docs/${name.replaceAll('\\', '/').slice(0, -3)}`)
    .filter((source) => !listed.includes(source))
    .sort();
}

function decisionRecords(root) {
  const names = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d.*\.md$/.test(name));
  return names.sort().map((name) => readSource(root, `docs/decisions/${name.slice(0, -3)}`));
}

function operations({ endpoints, headers, examples }) {
  return endpoints.map((endpoint) => {
    const { operationId, tags } = endpoint.operation;
    return {
      source: `docs/reference/${operationId}`,
      address: `reference/${operationId}.html`,
      text: operationPage({ endpoint, headers, examples }),
      label: endpoint.name,
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
