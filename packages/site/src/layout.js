import { html, raw } from './html.js';
import { relative } from './navigation.js';

/**
 * The document of a page.
 * @param page {{ address, title, html, headings }}
 * @param near {{ before, after }}: the neighbours of the page
 * @param site {{ menu, assets, version }}
 */
export function layout(page, near, site) {
  const link = (address) => relative(page.address, address);
  const { css, js, icon, index } = site.assets;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title === 'Decision Ledger' ? page.title : `${page.title} · Decision Ledger`}</title>
<link rel="icon" type="image/svg+xml" href="${link(icon)}">
<link rel="stylesheet" href="${link(css)}">
<script type="module" src="${link(js)}"></script>
</head>
<body data-root="${link('')}" data-index="${link(index)}">
<a class="skip" href="#main">Skip to the text</a>
<header class="top">
<a class="home" href="${link('index.html')}">Decision Ledger</a>
<form class="search" role="search" hidden>
<input type="search" class="query" id="search" placeholder="Search: press /" aria-label="Search" autocomplete="off" aria-controls="found">
<ul class="found" id="found" aria-label="Pages found" hidden></ul>
<p class="search-state" id="search-state" role="status"></p>
</form>
</header>
<div class="columns">
<details class="menu" id="menu"><summary>Menu</summary>
<nav aria-label="Pages">${site.menu.map((section) => menuSection(section, page, link))}</nav>
</details>
<main id="main" tabindex="-1">
<article>${raw(page.html)}</article>
${neighbours(near, link)}
</main>
${contents(page.headings)}
</div>
<footer>Decision Ledger ${site.version}</footer>
</body>
</html>
`.toString();
}

function menuSection({ title, pages, groups = [] }, page, link) {
  return html`<h2>${title}</h2>
<ul>${pages.map((one) => menuLink(one, page, link))}</ul>
${groups.map((group) => menuGroup(group, page, link))}`;
}

/** Operations are listed beside those of their tag alone: on every page, they would be most of it. */
function menuGroup({ title, pages }, page, link) {
  if (!pages.includes(page)) return '';
  return html`<h3>${title}</h3>
<ul class="group">${pages.map((one) => menuLink(one, page, link))}</ul>`;
}

function menuLink(one, page, link) {
  const current = one.address === page.address ? raw(' aria-current="page"') : '';
  return html`<li><a href="${link(one.address)}"${current}>${one.label ?? one.title}</a></li>
`;
}

function neighbours({ before, after }, link) {
  if (before === undefined && after === undefined) return '';
  const to = (page, rel, words) =>
    page &&
    html`<a rel="${rel}" href="${link(page.address)}"><span>${words}</span> ${page.title}</a>`;
  return html`<nav class="neighbours" aria-label="Neighbours">${to(before, 'prev', 'Previous')}${to(after, 'next', 'Next')}</nav>`;
}

/** The contents of long pages. */
function contents(headings) {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 3) return html`<aside class="contents"></aside>`;
  return html`<aside class="contents"><nav aria-label="On this page"><h2>On this page</h2>
<ul>${shown.map(
    ({ level, text, id }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>
`,
  )}</ul></nav></aside>`;
}
