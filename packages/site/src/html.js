/** Marks text that is HTML already. */
class Html {
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
}

export function raw(text) {
  return new Html(text);
}

/** A template whose values are escaped, unless they are HTML; a list is joined. */
export function html(parts, ...values) {
  return raw(String.raw({ raw: parts }, ...values.map(shown)));
}

function shown(value) {
  if (value === undefined || value === null || value === false) return '';
  if (Array.isArray(value)) return value.map(shown).join('');
  return value instanceof Html ? value.text : escaped(String(value));
}

export function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
