// Requests to the API in a script of the shell.

/** The variable that pages use for the address of the API. */
const API = /^\$(?:API|\{API\})/;
const ADDRESS = /^https?:\/\/[^/]+/;

/**
 * @returns {{ method: string, path: string, query: string[], body: unknown }[]} body is null where there is
 *   none, or where variables make it
 */
export function curlRequests(script) {
  const commands = script.replaceAll('\\\n', ' ').split(/(?:^|[\n;|(]|&&)\s*curl\s/);
  return commands.slice(1).flatMap((text) => {
    const words = wordsOf(text);
    const url = words.find((word) => API.test(word) || ADDRESS.test(word));
    if (url === undefined) return [];
    const [path, query = ''] = url.replace(API, '/api/v1').replace(ADDRESS, '').split('?');
    if (!/^\/(?:api|v1)\//.test(path)) return [];
    const data = optionOf(words, ['-d', '--data', '--data-binary']);
    const method = optionOf(words, ['-X', '--request']) ?? (data === undefined ? 'GET' : 'POST');
    const names = query.split('&').filter(Boolean);
    return [{ method, path, query: names.map((part) => part.split('=')[0]), body: bodyOf(data) }];
  });
}

function optionOf(words, names) {
  const at = words.findIndex((word) => names.includes(word));
  return at === -1 ? undefined : words[at + 1];
}

function bodyOf(data) {
  if (data === undefined || data.startsWith('@') || data.includes('$')) return null;
  return JSON.parse(data);
}

/** The words of a command up to its end. Quotes are removed; variables stay. */
function wordsOf(text) {
  const words = [];
  const pattern = /\s*((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\|;])+)|[\n|;]/gy;
  for (const [whole, word] of text.matchAll(pattern)) {
    if (word === undefined || whole.startsWith('\n')) break;
    const plain = word.replaceAll(/'([^']*)'|"((?:\\.|[^"\\])*)"/g, (_all, single, double) =>
      single === undefined ? double.replaceAll(/\\(.)/g, '$1') : single,
    );
    words.push(plain);
  }
  return words;
}
