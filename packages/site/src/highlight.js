import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import nginx from 'highlight.js/lib/languages/nginx';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { escaped } from './html.js';

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
