import { findKeys } from '../platform/redact.js';

interface Span {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

interface Decoded {
  /** The URL with every percent-encoding undone, however often it was applied. */
  readonly text: string;
  /** Where each character of `text` starts and ends in the URL. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

// Some parsers also split at `;`, and a nested URL has a `?` of its own: all of them count.
const KEY_PARAMETER = /(?:^|[?&;#])[\s+]*(?:key|signature|ticket)[\s+]*(?:\[[^\]=?&;#]*\])?=/gi;

// Most URLs have none of these, and need no closer look.
const SUSPECT = /%|key|signature|ticket|lg_|whsec_/i;

/**
 * A URL that is fit for a log: each value of the query parameters `key`, `signature` and `ticket`, however their
 * names are written or encoded, becomes `[redacted]`, and everything that looks like an API key or a signing secret,
 * wherever it stands and however it is encoded, becomes `lg_live_[redacted]`, `lg_test_[redacted]`
 * or `whsec_[redacted]`. The rest stays as it was. Takes any text, never throws, and needs time in
 * proportion to its length.
 */
export function redactUrl(url: string): string {
  if (!SUSPECT.test(url)) return url;
  const decoded = decode(url);
  const spans = [...parameterValues(url, decoded), ...keys(decoded)];
  if (spans.length === 0) return url;
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  let clean = '';
  let done = 0;
  for (const span of spans) {
    if (span.start < done) continue;
    clean += url.slice(done, span.start) + span.label;
    done = span.end;
  }
  return clean + url.slice(done);
}

/** The values run to the next `&` that is written as such: an encoded one belongs to the value. */
function parameterValues(url: string, decoded: Decoded): Span[] {
  const spans: Span[] = [];
  let covered = 0;
  for (const match of decoded.text.matchAll(KEY_PARAMETER)) {
    const start = decoded.ends[match.index + match[0].length - 1] ?? url.length;
    if (start < covered) continue;
    const ampersand = url.indexOf('&', start);
    covered = ampersand === -1 ? url.length : ampersand;
    spans.push({ start, end: covered, label: '[redacted]' });
  }
  return spans;
}

function keys(decoded: Decoded): Span[] {
  return findKeys(decoded.text).map(({ start, end, label }) => ({
    start: decoded.starts[start] ?? 0,
    end: decoded.ends[end - 1] ?? 0,
    label,
  }));
}

/**
 * Undoes percent-encoding in one pass: as soon as the characters read so far end in `%` and two
 * hexadecimal digits, decoded ones included, the three become one. What is malformed stays.
 */
function decode(url: string): Decoded {
  const codes = new Uint16Array(url.length);
  const starts = new Uint32Array(url.length);
  const ends = new Uint32Array(url.length);
  let size = 0;
  for (let at = 0; at < url.length; at += 1) {
    codes[size] = url.charCodeAt(at);
    starts[size] = at;
    size += 1;
    for (let byte = lastByte(codes, size); byte >= 0; byte = lastByte(codes, size)) {
      size -= 2;
      codes[size - 1] = byte;
    }
    ends[size - 1] = at + 1;
  }
  return { text: textOf(codes.subarray(0, size)), starts, ends };
}

/** What the last three of `size` characters encode; below zero when they encode nothing. */
function lastByte(codes: Uint16Array, size: number): number {
  if (size < 3 || codes[size - 3] !== 0x25) return -1;
  const high = hexValue(codes[size - 2]);
  const low = hexValue(codes[size - 1]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function textOf(codes: Uint16Array): string {
  let text = '';
  for (let at = 0; at < codes.length; at += 4096) {
    text += String.fromCharCode(...codes.subarray(at, at + 4096));
  }
  return text;
}

function hexValue(code: number | undefined): number {
  if (code === undefined) return -1;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
