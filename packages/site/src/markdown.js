import MarkdownIt from 'markdown-it';
import { highlight, tabs } from './code-blocks.js';
import { escaped } from './html.js';
import { slug } from './navigation.js';

/**
 * Renders a page of Markdown.
 * @param resolve turns the address of a link or an image into that of the site; null for one without a page
 * @returns {{ title: string, html: string, headings: { level: number, text: string, id: string }[],
 *   sections: { id: string, title: string, text: string }[] }}
 */
export function renderMarkdown(text, resolve) {
  const parser = createParser();
  const tokens = parser.parse(withoutComments(text), {});
  const headings = numberHeadings(tokens);
  for (const token of tokens) rewrite(token, resolve);
  const title = headings.find(({ level }) => level === 1)?.text;
  if (title === undefined) throw new Error('a page needs a title');
  const html = parser.renderer.render(tokens, parser.options, {});
  return { title, html, headings, sections: sectionsOf(tokens) };
}

function createParser() {
  const parser = new MarkdownIt({ html: false, linkify: true, typographer: false }).use(tabs);
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  const { rules } = parser.renderer;
  // A table scrolls within itself where it is wider than the screen, and the keyboard can scroll it.
  rules.table_open = () =>
    '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.fence = (tokens, index) => codeBlock(tokens[index].content, tokens[index].info.trim());
  rules.heading_close = (tokens, index) => {
    const { tag, meta } = tokens[index];
    const name = escaped(meta.text);
    const link = `<a class="anchor" href="#${meta.id}" aria-label="Link to ${name}">#</a>`;
    return tag === 'h1' ? '</h1>\n' : ` ${link}</${tag}>\n`;
  };
  return parser;
}

function codeBlock(code, language) {
  const name = language === '' ? 'Text' : language;
  const body = highlight(code.replace(/\n$/, ''), language);
  return `<pre tabindex="0" role="group" aria-label="Code: ${name}"><code>${body}</code></pre>\n`;
}

/** Marks of generated blocks, which are for tools. */
function withoutComments(text) {
  return text.replaceAll(/^ *<!--.*?-->\n/gms, '');
}

/** Gives each heading its anchor; a repeated one gets a number. */
function numberHeadings(tokens) {
  const used = new Map();
  const headings = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = textOf(tokens[index + 1]);
    const base = slug(text);
    const count = used.get(base) ?? 0;
    used.set(base, count + 1);
    const id = count === 0 ? base : `${base}-${count}`;
    token.attrSet('id', id);
    tokens[index + 2].meta = { id, text };
    headings.push({ level: Number(token.tag.slice(1)), text, id });
  }
  return headings;
}

function rewrite(token, resolve) {
  // The policy of the site refuses inline styles.
  const style = token.attrGet('style');
  if (style !== null) {
    token.attrs = token.attrs.filter(([name]) => name !== 'style');
    token.attrSet('class', style.replace('text-align:', 'to-'));
  }
  for (const [name, kind] of [
    ['href', 'link_open'],
    ['src', 'image'],
  ]) {
    if (token.type !== kind) continue;
    const found = resolve(token.attrGet(name));
    token.attrs = token.attrs.filter(([attribute]) => attribute !== name);
    if (found !== null) token.attrSet(name, found);
    if (kind === 'image') token.attrSet('loading', 'lazy');
  }
  for (const child of token.children ?? []) rewrite(child, resolve);
}

/** What the search finds: the text below each heading. */
function sectionsOf(tokens) {
  const sections = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_close') {
      sections.push({ id: token.meta.id, title: token.meta.text, text: '' });
    } else if (token.type === 'inline' && tokens[index - 1].type !== 'heading_open') {
      sections.at(-1).text += `${textOf(token)} `;
    }
  }
  return sections;
}

function textOf({ children }) {
  return (children ?? [])
    .filter(({ type }) => type === 'text' || type === 'code_inline' || type === 'softbreak')
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('');
}
