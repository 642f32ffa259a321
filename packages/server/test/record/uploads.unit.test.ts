import { createHash } from 'node:crypto';
import { parseJson } from '@decision-ledger/proof/gate';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Abridgement } from '#server/domains/record/uploads/rules/abridge';
import { readRange } from '#server/domains/record/uploads/rules/range';
import { RecordedValue } from '#server/domains/record/uploads/rules/recorded-value';

/** Abridges a text that arrives in pieces of so many characters. */
function abridge(text: string, piece = text.length + 1) {
  const abridgement = new Abridgement();
  for (let at = 0; at < text.length; at += piece) abridgement.push(text.slice(at, at + piece));
  return abridgement.end();
}

describe('Abridging a JSON text', () => {
  it('A small object is kept as it is, however it is cut', () => {
    const small = fc.dictionary(
      fc.string({ maxLength: 8 }).filter((name) => !['__proto__', '$upload'].includes(name)),
      fc.oneof(
        fc.string({ maxLength: 20 }),
        fc.boolean(),
        fc.constant(null),
        fc.integer(),
        fc.array(fc.oneof(fc.integer(), fc.string({ maxLength: 9 })), { maxLength: 4 }),
        fc.dictionary(
          fc.constantFrom('a', 'b"', 'ü\\'),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
        ),
      ),
      { maxKeys: 6 },
    );
    fc.assert(
      fc.property(small, fc.integer({ min: 1, max: 40 }), fc.boolean(), (value, piece, spaced) => {
        const text = JSON.stringify(value, null, spaced ? 2 : 0);
        let expected: unknown;
        try {
          expected = parseJson(text);
        } catch {
          return;
        }
        expect(abridge(text, piece)).toEqual(expected);
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  it('What stands behind millions of deeper values is kept', () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => ({ id: `R-${n}`, deep: [[[n]]] }));
    const kept = abridge(
      JSON.stringify({ rows, order_id: 'A-1', total: { amount: '9.50' } }),
      4096,
    );
    expect(kept).toMatchObject({ order_id: 'A-1', total: { amount: '9.50' } });
    expect(JSON.stringify(kept).length).toBeLessThan(64 * 1024);
  });

  it('Any depth is read, and what stands behind it is kept', () => {
    const depth = 2_000_000;
    const text = `{"deep":${'['.repeat(depth)}1,"a"${']'.repeat(depth)},"order_id":"A-1"}`;
    const kept = abridge(text, 65_536);
    expect(kept.order_id).toBe('A-1');
    expect(JSON.stringify(kept.deep)).toMatch(/^\[{3,9}\]+$/);
  });

  it('Long texts are kept as they begin, without half of an escape or of a character', () => {
    const long = `${'a'.repeat(3995)}\n"😀"${'é'.repeat(9999)}`;
    const { text } = abridge(JSON.stringify({ text: long }), 1000);
    expect(typeof text === 'string' && long.startsWith(text)).toBe(true);
    expect(String(text).length).toBeGreaterThan(3990);
  });

  it('Numbers that a float would change are kept as texts', () => {
    expect(abridge('{"id":123456789012345678901,"n":1.5e3}')).toEqual({
      id: '123456789012345678901',
      n: 1500,
    });
  });

  it('Anything but an object is kept as a value', () => {
    expect(abridge('[1,{"a":2}]')).toEqual({ value: [1, { a: 2 }] });
    expect(abridge('"text"')).toEqual({ value: 'text' });
  });

  it('A text that is no JSON gives what came before, and names of its own are not taken over', () => {
    expect(abridge('{"a":1,"b":{"c":tru')).toEqual({ a: 1, b: {} });
    expect(abridge('{"$upload":{"sha256":"x"},"__proto__":{"a":1},"a":1}')).toEqual({ a: 1 });
    expect(abridge('}}}]]]{"a":1}')).toEqual({});
  });
});

describe('What a field becomes', () => {
  const recorded = (bytes: Buffer, media_type: string) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const value = new RecordedValue({ size: bytes.length, sha256, media_type });
    for (let at = 0; at < bytes.length; at += 1000) value.push(bytes.subarray(at, at + 1000));
    return value.end();
  };

  it('The reference comes first, whatever the names beside it', () => {
    const text = recorded(Buffer.from('{"!":1,"a":2,"":3}'), 'application/json');
    expect(text.startsWith('{"$upload":{')).toBe(true);
    expect(parseJson(text)).toMatchObject({ a: 2 });
  });

  it('The head ends before a character that would be cut', () => {
    const { $upload } = JSON.parse(recorded(Buffer.from(`x${'é'.repeat(9000)}`), 'text/plain'));
    expect($upload.head).toMatch(/^xé+$/);
  });

  it('Bytes that are no text have no head', () => {
    const { $upload } = JSON.parse(recorded(Buffer.from([0xff, 0xd8, 0xff]), 'image/jpeg'));
    expect($upload).toEqual({ media_type: 'image/jpeg', sha256: expect.any(String), size: 3 });
  });
});

describe('A range of bytes', () => {
  it.each([
    [undefined, null],
    ['bytes=0-', { start: 0, end: 10 }],
    ['bytes=2-3', { start: 2, end: 4 }],
    ['bytes=2-99', { start: 2, end: 10 }],
    ['bytes=-3', { start: 7, end: 10 }],
    ['bytes=-99', { start: 0, end: 10 }],
    ['bytes=10-', null],
    ['bytes=3-2', null],
    ['bytes=-0', null],
    ['bytes=0-1,4-5', null],
    ['rows=0-1', null],
  ])('%s of ten bytes is %j', (header, expected) => {
    expect(readRange(header, 10)).toEqual(expected);
  });
});
