import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatKey, makeSecret } from '#server/domains/access/keys/rules/key';
import { redactUrl } from '#server/http/access-log';
import { findKeys, redactKeys } from '#server/platform/secrets';
import { character } from '../../../proof/test/support/characters.js';
import { cpuMs } from '../../../proof/test/support/cpu-time.js';

const SECRET = 'Zk3'.repeat(10).concat('Qw');
const KEY = formatKey('live', SECRET);

const secrets = fc
  .infiniteStream(fc.nat(255))
  .map((stream) =>
    makeSecret((size) => Uint8Array.from({ length: size }, () => stream.next().value)),
  );
const keys = fc.tuple(fc.constantFrom('live' as const, 'test' as const), secrets);

function percent(character: string, capitals: boolean): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  return `%${capitals ? hex.toUpperCase() : hex}`;
}

/** Encodes each character of a text zero to three times, as `depths` says. */
function encodeUnevenly(text: string, depths: readonly number[]): string {
  return Array.from(text, (character, at) => {
    let encoded = character;
    for (let depth = depths[at % depths.length] ?? 0; depth > 0; depth -= 1) {
      encoded = Array.from(encoded, (each) => percent(each, depth % 2 === 0)).join('');
    }
    return encoded;
  }).join('');
}

function fullyDecoded(url: string): string {
  let text = url;
  for (;;) {
    const next = text.replace(/%[0-9a-f]{2}/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
    if (next === text) return text;
    text = next;
  }
}

describe('redactKeys', () => {
  it('Every key-like part of a text is hidden, and nothing else', () => {
    const other = formatKey('test', SECRET);
    expect(redactKeys(`a ${KEY}, "${other}"; lg_live_ lg_other_x`)).toBe(
      'a lg_live_[redacted], "lg_test_[redacted]"; lg_live_ lg_other_x',
    );
    expect(redactKeys(`lgs_test_${SECRET}`)).toBe('lgs_test_[redacted]');
    expect(redactKeys('LG_Live_abc')).toBe('lg_live_[redacted]');
    expect(redactKeys('"whsec_a+/b=" whsec_')).toBe('"whsec_[redacted]" whsec_');
  });

  it('Keys are found at their positions', () => {
    expect(findKeys(`at ${KEY}!`)).toEqual([
      { start: 3, end: 3 + KEY.length, label: 'lg_live_[redacted]' },
    ]);
  });

  it('Redacting a text again changes nothing', () => {
    const once = redactKeys(`x ${KEY} y`);
    expect(redactKeys(once)).toBe(once);
  });
});

describe('redactUrl', () => {
  it.for([
    ['/ws/v1/stream?key=abc', '/ws/v1/stream?key=[redacted]'],
    ['/ws/v1/stream?a=1&ticket=abc&b=2', '/ws/v1/stream?a=1&ticket=[redacted]&b=2'],
    ['/s?Tick%65t=abc', '/s?Tick%65t=[redacted]'],
    ['/s?a=1&key=abc&b=2', '/s?a=1&key=[redacted]&b=2'],
    ['/s?KEY=abc&Key=def&kEy=', '/s?KEY=[redacted]&Key=[redacted]&kEy=[redacted]'],
    ['/s?%6bey=abc', '/s?%6bey=[redacted]'],
    ['/s?%256b%65%79=abc', '/s?%256b%65%79=[redacted]'],
    ['/s?key%3Dabc', '/s?key%3D[redacted]'],
    ['/s?+key=abc', '/s?+key=[redacted]'],
    ['/s?key[]=abc&key[0]=def', '/s?key[]=[redacted]&key[0]=[redacted]'],
    ['/s?a=1;key=abc', '/s?a=1;key=[redacted]'],
    ['/s?key=a%26b;c=d#e?f&g=h', '/s?key=[redacted]&g=h'],
    ['/s?key=a=b=c', '/s?key=[redacted]'],
    ['/s?next=%2Ft%3Fkey%3Dabc%26x&y=1', '/s?next=%2Ft%3Fkey%3D[redacted]&y=1'],
    ['/s?key=%zz%', '/s?key=[redacted]'],
    ['key=abc', 'key=[redacted]'],
    [`/s?key=${KEY}`, '/s?key=[redacted]'],
    [`/keys/${KEY}/x`, '/keys/lg_live_[redacted]/x'],
    [`/s?a=%20${KEY.replaceAll('_', '%5F')}%20`, '/s?a=%20lg_live_[redacted]%20'],
    ['/s?a=whsec%5FMfKQ%2Br&b=1', '/s?a=whsec_[redacted]&b=1'],
    [`/s?a=%2${KEY}`, '/s?a=%2lg_live_[redacted]'],
  ] as const)('The URL %s is redacted to %s', ([url, clean]) => expect(redactUrl(url)).toBe(clean));

  it.for([
    '',
    '/',
    '/api/v1/decisions?limit=50&agent_id=a%20b&start=2026-01-01T00%3A00%3A00Z',
    '/api/v1/keys/key_01h455vb4pex5vsknk084sn02q',
    '/s?monkey=1&keys=2&key&keyboard=3&public_key=4',
    '/s?q=%E2%82%AC%zz%&r=%',
    '/s?metadata.key=1',
  ])('The URL "%s" is left unchanged', (url) => expect(redactUrl(url)).toBe(url));

  it('No URL reveals a key, at any position and in any encoding', () => {
    fc.assert(
      fc.property(
        keys,
        fc.webPath(),
        fc.webQueryParameters(),
        fc.constantFrom('/', '?', '&a=', '%', '%2', '#', ';', '%25', 'x'),
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 46 }),
        fc.boolean(),
        ([mode, secret], path, query, before, depths, first) => {
          const text = encodeUnevenly(formatKey(mode, secret), depths);
          const url = first
            ? `${path}${before}${text}?${query}`
            : `${path}?${query}${before}${text}`;
          const clean = redactUrl(url);
          expect(fullyDecoded(clean)).not.toContain(secret);
          expect(clean).toContain('[redacted]');
        },
      ),
      { numRuns: 200 },
    );
  });

  it('No URL reveals the value of a secret parameter, however its name is encoded', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z0-9_.%;#=-]{12,40}$/),
        fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 3, maxLength: 3 }),
        fc.webQueryParameters(),
        fc.constantFrom('key', 'Key', 'KEY'),
        (value, depths, query, name) => {
          const url = `/s?${query}&${encodeUnevenly(name, depths)}=${value}&z=1`;
          const clean = redactUrl(url);
          expect(clean.endsWith('=[redacted]&z=1')).toBe(true);
        },
      ),
    );
  });

  it('Any text can be redacted, and redacting it again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 200 }), (text) => {
        const once = redactUrl(text);
        expect(redactUrl(once)).toBe(once);
      }),
    );
  });

  it.for(['%25', '&key[', ';key=', '%', 'key+', '&+', 'lg_live_', '?key[a', '%2525'])(
    'Redaction takes time proportional to the length of %s repeated',
    async (part) => {
      const text = part.repeat(200_000 / part.length);
      expect(await cpuMs(() => redactUrl(text))).toBeLessThan(2000);
    },
  );

  it('A newly issued key is redacted', () => {
    const secret = makeSecret(randomBytes);
    expect(redactUrl(`/s?x=${formatKey('test', secret)}`)).toBe('/s?x=lg_test_[redacted]');
  });
});
