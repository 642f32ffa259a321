import type { FastifyRequest } from 'fastify';
import { findKeys } from '../platform/secrets.js';
import type { Http } from './types.js';

/** The loggable part of a request: no headers, and no key in the URL. */
function requestForLog(request: FastifyRequest) {
  return { method: request.method, url: redactUrl(request.url), ip: request.ip };
}

/** Logs one line per response. */
export function addAccessLog(app: Http): void {
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info({ ...requestForLog(request), status: reply.statusCode, ms }, 'answered');
    done();
  });
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

interface Decoded {
  /** The URL with all percent-encoding undone, including nested encoding. */
  readonly text: string;
  /** The start and end of each character of `text` in the URL. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

// Some parsers also split at `;`, and a nested URL has a `?`, so all of these separate parameters.
const KEY_PARAMETER = /(?:^|[?&;#])[\s+]*(?:key|signature|ticket)[\s+]*(?:\[[^\]=?&;#]*\])?=/gi;

// Most URLs match none of these and are returned unchanged.
const SUSPECT = /%|key|signature|ticket|lgs?_|whsec_/i;

/**
 * Redacts secrets in a URL for logs. The values of the query parameters `key`, `signature` and
 * `ticket`, however encoded, become `[redacted]`. Anything that looks like an API key, a session token
 * or a signing secret, at any place and in any encoding, becomes its prefix and `[redacted]`, such as
 * `lg_live_[redacted]`. The rest is unchanged. Accepts any text, never throws, and runs in linear time.
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

/** A value runs to the next literal `&`; an encoded one belongs to the value. */
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
 * Undoes percent-encoding in one pass: when the characters so far, including decoded ones, end in `%`
 * and two hexadecimal digits, these three become one. Malformed sequences are kept.
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

/** The byte that the last three of `size` characters encode; negative if they encode none. */
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
