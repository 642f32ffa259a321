import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import nginx from 'highlight.js/lib/languages/nginx';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { escaped, html } from './html.js';

const LANGUAGES = { json, nginx, python, sql, yaml, sh: bash, js: javascript, ts: typescript };
/** Without colours: output of programs, and formats that the library does not have. */
const PLAIN = ['', 'text', 'ini', 'caddy'];

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Code as HTML with classes for its parts. */
export function highlight(code, language) {
  if (PLAIN.includes(language)) return escaped(code);
  if (!(language in LANGUAGES)) throw new Error(`no colours for the language ${language}`);
  return hljs.highlight(code, { language }).value;
}

/** Languages whose blocks become the tabs of one example where nothing stands between them. */
const NAMES = { sh: 'Shell', ts: 'TypeScript', js: 'JavaScript', python: 'Python' };

/** A plugin of markdown-it that joins such blocks. Without scripts, they stand below one another, each with its name. */
export function tabs(parser) {
  parser.core.ruler.push('tabs', (state) => {
    state.tokens = grouped(state.tokens, state.Token);
  });
  parser.renderer.rules.tab_open = (tokens, index) => {
    const { name, isFirst } = tokens[index].meta;
    const group = isFirst ? '<div class="tabs">\n' : '';
    return `${group}${html`<section class="tab" data-name="${name}"><p class="tab-name">${name}</p>`}\n`;
  };
  parser.renderer.rules.tab_close = (tokens, index) =>
    tokens[index].meta.isLast ? '</section>\n</div>\n' : '</section>\n';
}

function grouped(tokens, Token) {
  const all = [];
  for (let at = 0; at < tokens.length; ) {
    const run = runAt(tokens, at);
    all.push(...(run.length > 1 ? inTabs(run, Token) : [tokens[at]]));
    at += Math.max(run.length, 1);
  }
  return all;
}

/** The blocks from here on that are in different languages. */
function runAt(tokens, start) {
  const names = new Set();
  let end = start;
  for (; tokens[end]?.type === 'fence'; end += 1) {
    const name = nameOf(tokens[end]);
    if (name === undefined || names.has(name)) break;
    names.add(name);
  }
  return tokens.slice(start, end);
}

/** A request is named after the program that sends it. */
function nameOf({ info, content }) {
  const name = NAMES[info.trim()];
  return name === 'Shell' && /^curl /m.test(content) ? 'curl' : name;
}

function inTabs(run, Token) {
  const mark = (type, meta) => Object.assign(new Token(type, '', 0), { block: true, meta });
  return run.flatMap((block, index) => [
    mark('tab_open', { name: nameOf(block), isFirst: index === 0 }),
    block,
    mark('tab_close', { isLast: index === run.length - 1 }),
  ]);
}
