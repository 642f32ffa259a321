// Reads event logs in XES (IEEE 1849), which are XML files compressed with gzip.
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

const END = '</trace>';
/** A case of a log is far smaller, in characters. A file without cases is not read to its end. */
const LARGEST_CASE = 2 ** 24;
const TAG = /<(\/?)([\w:.-]+)((?:[^<>"']|"[^"]*"|'[^']*')*)>/g;
const FIELD = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITY = /&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi;
const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * The cases of a log, one at a time, because the text of a log takes 100 MB.
 * @typedef {Record<string, string>} Attributes values by key, without those nested in others
 * @param {string} path
 * @returns {AsyncGenerator<{ attributes: Attributes, events: Attributes[] }>}
 * @throws Error that names the file, if it is missing, damaged or no event log
 */
export async function* readCases(path) {
  let text = '';
  let isLog = false;
  try {
    const stream = pipeline(createReadStream(path), createGunzip(), () => undefined);
    for await (const chunk of stream.setEncoding('utf8')) {
      text += chunk;
      for (let end = text.indexOf(END); end !== -1; end = text.indexOf(END)) {
        yield parseCase(text.slice(text.indexOf('<trace'), end));
        text = text.slice(end + END.length);
        isLog = true;
      }
      if (text.length > LARGEST_CASE) break;
    }
  } catch (error) {
    throw new Error(`${path} cannot be read as .xes.gz: ${error.message}`, { cause: error });
  }
  if (!isLog || text.includes('<trace')) throw new Error(`${path} is no complete event log in XES`);
}

/** @param {string} text from the start of the case to before its end */
function parseCase(text) {
  const attributes = {};
  const events = [];
  // What is open: the case, one of its events, an attribute that holds others.
  const open = [];
  for (const [, slash, tag, rest] of text.matchAll(TAG)) {
    if (slash === '/') {
      open.pop();
      continue;
    }
    let holder;
    if (tag === 'trace') holder = attributes;
    else if (tag === 'event') {
      holder = {};
      events.push(holder);
    } else if (open.at(-1) !== undefined) {
      const { key, value } = fieldsOf(rest);
      if (key !== undefined && value !== undefined) open.at(-1)[key] = value;
    }
    if (!rest.endsWith('/')) open.push(holder);
  }
  return { attributes, events };
}

/** @param {string} text of a tag @returns {{ key?: string, value?: string }} */
function fieldsOf(text) {
  const fields = {};
  for (const [, name, double, single] of text.matchAll(FIELD)) {
    fields[name] = (double ?? single).replace(ENTITY, decode);
  }
  return fields;
}

function decode(text, decimal, hexadecimal, name) {
  if (name !== undefined) return ENTITIES[name] ?? text;
  return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16));
}
