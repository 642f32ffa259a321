import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Assets, addFile, addOwn } from './assets.js';
import { layout } from './layout.js';
import { renderMarkdown } from './markdown.js';
import { linkResolver, SECTIONS } from './navigation.js';
import { makeIndex } from './search.js';
import { readSources, unlisted } from './sources.js';

/**
 * Builds the site: pages, and below assets/ what they need. Each text is there compressed, too, with gzip alone:
 * browsers accept it without TLS, and a third form of each page would be most of the package.
 * @param root the repository
 * @param facts what the documentation takes from the code, of scripts/docs-generate.js
 * @param out the folder that is made; nothing else is written
 */
export async function buildSite({ root, facts, out }) {
  const assets = new Assets();
  const fileOf = (file) => addFile(assets, root, file);
  const pages = renderPages(readSources(root, facts), fileOf);
  const own = await addOwn(assets);
  const index = assets.add('index.json', Buffer.from(makeIndex(pages)));
  const site = {
    menu: menuOf(pages, unlisted(root)),
    assets: { ...own, index },
    version: facts.version,
  };
  const order = site.menu.flatMap((section) => section.pages);
  const files = [...assets.files()];
  for (const page of pages) {
    const at = order.indexOf(page);
    const near = at === -1 ? {} : { before: order[at - 1], after: order[at + 1] };
    files.push([page.address, Buffer.from(layout(page, near, site))]);
  }
  rmSync(out, { recursive: true, force: true });
  await Promise.all(files.map(([address, bytes]) => write(join(out, address), bytes)));
}

function renderPages(sources, fileOf) {
  const addresses = new Map(sources.map(({ source, address }) => [`${source}.md`, address]));
  return sources.map((page) => {
    const resolve = linkResolver(page, addresses, fileOf);
    return Object.assign(page, renderMarkdown(page.text, resolve));
  });
}

/** The menu: the sections, and below the reference the operations of each tag. */
function menuOf(pages, rest) {
  const bySource = new Map(pages.map((page) => [page.source, page]));
  const groups = new Map();
  for (const page of pages) {
    if (page.group === undefined) continue;
    groups.set(page.group, [...(groups.get(page.group) ?? []), page]);
  }
  const operations = [...groups].map(([title, members]) => ({ title, pages: members }));
  const sections = [...SECTIONS, ...(rest.length > 0 ? [{ title: 'More', pages: rest }] : [])];
  return sections.map(({ title, pages: sources }) => ({
    title,
    pages: sources.flatMap((source) => bySource.get(source) ?? []),
    groups: title === 'Reference' ? operations : [],
  }));
}

const TEXT = /\.(html|css|csv|js|json|svg)$/;

async function write(path, bytes) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  if (!TEXT.test(path)) return;
  writeFileSync(`${path}.gz`, await promisify(gzip)(bytes));
}
