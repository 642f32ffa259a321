const NEEDS_CARE = /["\\\u0000-\u001f\ud800-\udfff]/;
const ESCAPED_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** A string as a JSON string. A lone surrogate becomes an escape: see `refuseSurrogates`. */
export function quote(text: string): string {
  return NEEDS_CARE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/**
 * Native stringification uses `\ud` escapes only for lone surrogates, so one check of the finished JSON
 * text replaces a check of every string.
 *
 * @throws TypeError if the JSON text was made from a string with a lone surrogate
 */
export function refuseSurrogates(json: string): string {
  if (json.includes('\\ud') && ESCAPED_SURROGATE.test(json)) {
    throw new TypeError('A string with a lone surrogate cannot be written as JSON.');
  }
  return json;
}
