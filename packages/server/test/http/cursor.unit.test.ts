import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCursorCodec } from '#server/http/paging';
import { character } from '../../../proof/test/support/characters.js';
import { ringOf } from '../support/keyring.js';

const codec = createCursorCodec(ringOf(1).tokens('cursor'));
const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const text = fc.string({ unit: character, maxLength: 30 });
const positions = fc.array(text, { maxLength: 4 });
const filters = fc.dictionary(text, text, { maxKeys: 4, noNullPrototype: true });
const wellFormed = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('Cursors', () => {
  it('A cursor returns its position for the same list and filters, in any order', () => {
    fc.assert(
      fc.property(positions, text, filters, (position, scope, chosen) => {
        const cursor = codec.encode(position, scope, chosen);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        const reversed = Object.fromEntries(Object.entries(chosen).reverse());
        expect(codec.decode(cursor, scope, reversed)).toEqual(wellFormed(position));
      }),
    );
  });

  it('An absent filter and an undefined one give the same cursor', () => {
    const cursor = codec.encode(['1'], 'decisions led_1', { agent_id: 'a', end: undefined });
    expect(codec.decode(cursor, 'decisions led_1', { agent_id: 'a' })).toEqual(['1']);
  });

  it('A cursor is refused after any change, insertion or removal of one character', () => {
    fc.assert(
      fc.property(
        positions,
        text,
        filters,
        fc.nat(),
        fc.oneof(fc.constantFrom(...URL_SAFE), fc.string({ unit: character, maxLength: 1 })),
        fc.boolean(),
        (position, scope, chosen, place, character, insert) => {
          const cursor = codec.encode(position, scope, chosen);
          const at = place % cursor.length;
          const changed = cursor.slice(0, at) + character + cursor.slice(insert ? at : at + 1);
          fc.pre(changed !== cursor);
          expect(codec.decode(changed, scope, chosen)).toBeNull();
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('A cursor is refused after any character is replaced by any other', () => {
    for (const position of [['1'], ['12'], ['123']]) {
      const cursor = codec.encode(position, 's', {});
      for (let at = 0; at < cursor.length; at += 1) {
        for (const character of `${URL_SAFE}+/= \n`) {
          const changed = cursor.slice(0, at) + character + cursor.slice(at + 1);
          if (changed !== cursor) expect(codec.decode(changed, 's', {})).toBeNull();
        }
      }
      for (const added of [...URL_SAFE, '=', ' ', '\n']) {
        expect(codec.decode(cursor + added, 's', {})).toBeNull();
      }
    }
  });

  it('A cursor is refused for other filters, another list or another signing key', () => {
    fc.assert(
      fc.property(
        positions,
        text,
        text,
        filters,
        filters,
        (position, here, there, ones, others) => {
          const cursor = codec.encode(position, here, ones);
          if (here !== there) expect(codec.decode(cursor, there, ones)).toBeNull();
          const same = JSON.stringify(Object.entries(ones).sort());
          if (JSON.stringify(Object.entries(others).sort()) !== same) {
            expect(codec.decode(cursor, here, others)).toBeNull();
          }
          const stranger = createCursorCodec(ringOf(2).tokens('cursor'));
          expect(stranger.decode(cursor, here, ones)).toBeNull();
        },
      ),
    );
  });

  it('A cursor distinguishes text in one filter, in two, and in the list name', () => {
    const cursor = codec.encode(['p'], 's', { a: '1', b: '2' });
    for (const [scope, chosen] of [
      ['s', { a: '1,b:2' }],
      ['s', { a: '1","b', b: '2' }],
      ['s', { a: '2', b: '1' }],
      ['s","a', { b: '2' }],
      ['s', { a: '1', b: '2', c: '' }],
      ['s', { a: '1' }],
    ] as const) {
      expect(codec.decode(cursor, scope, chosen)).toBeNull();
    }
  });

  it('An arbitrary text is refused as a cursor without an error', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.base64String(), fc.stringMatching(/^[\w-]*$/)), (cursor) => {
        expect(codec.decode(cursor, 's', {})).toBeNull();
      }),
    );
  });
});
