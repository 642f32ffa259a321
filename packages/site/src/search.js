import MiniSearch from 'minisearch';

/** How the index is made, and how the browser reads it: both sides have to agree. */
export const OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'address', 'start'],
  // Names such as decision_id and POST are found whole and by their parts.
  tokenize: (text) =>
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu)
      ?.flatMap(withParts) ?? [],
  searchOptions: { prefix: true, fuzzy: 0.15, boost: { title: 4, page: 2 }, combineWith: 'AND' },
};

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
