import MiniSearch from 'minisearch';
import { SYNONYMS } from './synonyms.js';

/** How the index is made, and how the browser reads it: both sides have to agree. */
const OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'address', 'start'],
  // Names such as decision_id and POST are found whole and by their parts.
  tokenize: (text) => wordsOf(text).flatMap(withParts),
  searchOptions: { prefix: true, boost: { title: 4, page: 2 } },
};

/** Questions have these words; pages about the answer need not. */
const FILLERS = new Set(
  'a an and are can do does for from get how i in is it me my of on or the to use we what when where which with you'.split(
    ' ',
  ),
);

/** A word of a query counts this much where only its synonym is found, or only a similar spelling. */
const WEIGHT = { synonym: 0.4, similar: 0.3 };

function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function withParts(word) {
  return word.includes('_') ? [word, ...word.split('_').filter((part) => part !== '')] : [word];
}

/** How much of a section a result shows. */
const START = 140;

/** @param pages {{ address, title, sections: { id, title, text }[] }[]} */
export function makeIndex(pages) {
  const index = new MiniSearch(OPTIONS);
  let id = 0;
  for (const { address, title, sections } of pages) {
    for (const section of sections) {
      const isTop = section === sections[0];
      // A heading above nothing but code or other headings says little.
      if (!isTop && section.text === '') continue;
      const anchor = isTop ? '' : `#${section.id}`;
      const start = section.text.slice(0, START).replace(/\s\S*$/, '');
      index.add({ ...section, id: id++, page: title, address: `${address}${anchor}`, start });
    }
  }
  return JSON.stringify(index);
}

/** Reads an index that `makeIndex` made. */
export function readIndex(text) {
  return MiniSearch.loadJSON(text, OPTIONS);
}

/**
 * The sections that match most words of a query, best first. A word matches by itself, by its beginning, by a synonym or
 * by a similar spelling. Sections that match every word come first, and the others follow.
 * @returns {{ title, page, address, start }[]}
 */
export function find(index, query) {
  const words = queryWords(query);
  const found = new Map();
  for (const word of words) {
    for (const [id, { score, result }] of scoresOf(index, word)) {
      const sum = found.get(id) ?? { result, words: 0, score: 0 };
      found.set(id, { result, words: sum.words + 1, score: sum.score + score });
    }
  }
  return [...found.values()]
    .sort((a, b) => b.words - a.words || b.score - a.score)
    .map(({ result }) => result);
}

function queryWords(query) {
  const words = [...new Set(query.toLowerCase().split(/\s+/).flatMap(keyOrWords))];
  const telling = words.filter((word) => !FILLERS.has(word));
  return telling.length > 0 ? telling : words;
}

/** Keys such as a/b stay whole. */
function keyOrWords(text) {
  return Object.hasOwn(SYNONYMS, text) ? [text] : wordsOf(text);
}

/** The best score of each section for one word. */
function scoresOf(index, word) {
  const best = new Map();
  const add = (results, weight) => {
    for (const result of results) {
      const score = result.score * weight;
      if (score > (best.get(result.id)?.score ?? 0)) best.set(result.id, { score, result });
    }
  };
  const exact = index.search(word, { combineWith: 'AND' });
  add(exact, 1);
  if (exact.length === 0) add(index.search(word, { fuzzy: 0.2 }), WEIGHT.similar);
  for (const synonym of Object.hasOwn(SYNONYMS, word) ? SYNONYMS[word] : []) {
    add(index.search(synonym, { combineWith: 'AND' }), WEIGHT.synonym);
  }
  return best;
}
