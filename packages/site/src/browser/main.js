import { find, readIndex } from '../search.js';
import { improveCode } from './code.js';

const MOST = 12;
const { root, index: address } = document.body.dataset;
const form = document.querySelector('.search');
const input = document.querySelector('#search');
const list = document.querySelector('#found');
const state = document.querySelector('#search-state');

/** Read when the page is complete, so that it delays nothing and the search needs no network afterwards. */
const stored = loaded()
  .then(() => fetch(address))
  .then((answer) => answer.text());
stored.then(
  () => (document.body.dataset.search = 'ready'),
  () => (state.textContent = 'The search could not be loaded.'),
);
let index;

form.hidden = false;
openMenuWhereItFits();
improveCode();
form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
input.addEventListener('input', show);
document.addEventListener('keydown', onKey);
document.addEventListener('click', ({ target }) => {
  if (!form.contains(target)) list.hidden = true;
});

function loaded() {
  if (document.readyState === 'complete') return Promise.resolve();
  return new Promise((resolve) => addEventListener('load', resolve, { once: true }));
}

async function show() {
  const words = input.value.trim();
  // Most pages are read without a search, so the index is made for the first one.
  index ??= readIndex(await stored);
  const found = words === '' ? [] : find(index, words).slice(0, MOST);
  // Somebody who types fast is shown the last answer only.
  if (words !== input.value.trim()) return;
  list.replaceChildren(...(found.length > 0 ? found.map(entry) : nothing(words)));
  list.hidden = words === '';
  const count = found.length === MOST ? `the first ${MOST}` : found.length;
  state.textContent = words === '' ? '' : `${count} found`;
}

function entry({ title, page, address: target, start }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = root + target;
  const ofPage = title === page ? [] : [part('span', page)];
  link.append(part('strong', title), ...ofPage, part('small', start));
  link.addEventListener('click', () => (list.hidden = true));
  item.append(link);
  return item;
}

/** Says that nothing was found, and where everything is listed. */
function nothing(words) {
  const item = document.createElement('li');
  item.className = 'nothing';
  item.append(
    part('p', `Nothing found for “${words}”.`),
    part('p', 'Try another word, or one of these pages:'),
  );
  const pages = [
    { title: 'All pages', address: 'index.html', start: 'what each page is about' },
    { title: 'Concepts', address: 'concepts.html', start: 'the words that every page uses' },
    { title: 'Operations of the API', address: 'reference/index.html', start: 'every endpoint' },
  ];
  return [item, ...pages.map((page) => entry({ ...page, page: page.title }))];
}

function part(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

function onKey(event) {
  const isTyping = event.target.matches('input, textarea');
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    input.focus();
    input.select();
  } else if (form.contains(event.target)) moveInResults(event);
}

function moveInResults(event) {
  if (event.key === 'Escape') {
    list.hidden = true;
    input.focus();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || list.hidden) return;
  event.preventDefault();
  const stops = [input, ...list.querySelectorAll('a')];
  const next = stops.indexOf(document.activeElement) + step;
  stops[(next + stops.length) % stops.length].focus();
}

/** The menu is closed on a phone; without scripts it is closed everywhere, and opens on a click. */
function openMenuWhereItFits() {
  const wide = matchMedia('(min-width: 60rem)');
  const adapt = () => (document.querySelector('#menu').open = wide.matches);
  wide.addEventListener('change', adapt);
  adapt();
  if (wide.matches)
    document.querySelector('.menu [aria-current]')?.scrollIntoView({ block: 'nearest' });
}
