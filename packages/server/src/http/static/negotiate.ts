export type ContentEncoding = 'br' | 'gzip' | 'identity';

/** The quality of each member of an Accept header (RFC 9110, 12.4.2). */
function qualities(header: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = q === undefined ? 1 : Number(q.slice(2));
    if (name !== '') found.set(name, Number.isNaN(quality) ? 0 : quality);
  }
  return found;
}

/**
 * Whether the caller is a browser that opens a page: it names text/html, and prefers it to JSON. A
 * header that accepts anything does not ask for a page.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const found = qualities(accept ?? '');
  const html = found.get('text/html') ?? 0;
  return html > 0 && html >= (found.get('application/json') ?? 0);
}

/** The encodings that the caller accepts, the smallest first. */
export function encodingsOf(accept: string | undefined): ContentEncoding[] {
  const found = qualities(accept ?? '');
  const accepted = (['br', 'gzip'] as const).filter((name) => (found.get(name) ?? 0) > 0);
  return [...accepted, 'identity'];
}
