import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIdFactory, type IdPrefix, idToUuid, uuidToId } from '#server/platform/ids';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const PREFIXES: IdPrefix[] = ['dec', 'evt', 'lnk', 'exp', 'key', 'org', 'act', 'req', 'led', 'ses'];

/** The same conversion through a bigint. */
function encode(uuid: string): string {
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let text = '';
  for (let n = 0; n < 26; n += 1) {
    text = ALPHABET.charAt(Number(rest % 32n)) + text;
    rest /= 32n;
  }
  return text;
}

/** Random bytes that are the same in every run. */
function seededBytes(seed: string): (size: number) => Uint8Array {
  let round = 0;
  return (size) => {
    const blocks: Buffer[] = [];
    for (let length = 0; length < size; length += 32) {
      round += 1;
      blocks.push(createHash('sha256').update(`${seed} ${round}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, size);
  };
}

const uuids = fc.uuid({ version: [1, 2, 3, 4, 5, 6, 7, 8] });
const bits = fc
  .bigInt({ min: 0n, max: 2n ** 128n - 1n })
  .map((n) => n.toString(16).padStart(32, '0'))
  .map((hex) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));

describe('Id text', () => {
  it.for([
    ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000'],
    ['00000000-0000-0000-0000-000000000001', '00000000000000000000000001'],
    ['00000000-0000-0000-0000-00000000000a', '0000000000000000000000000a'],
    ['00000000-0000-0000-0000-000000000010', '0000000000000000000000000g'],
    ['00000000-0000-0000-0000-000000000020', '00000000000000000000000010'],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', '7zzzzzzzzzzzzzzzzzzzzzzzzz'],
    ['0110c853-1d09-52d8-d73e-1194e95b5f19', '0123456789abcdefghjkmnpqrs'],
    ['01890a5d-ac96-774b-bcce-b302099a8057', '01h455vb4pex5vsknk084sn02q'],
  ] as const)('The id text of %s is %s', ([uuid, text]) => {
    expect(uuidToId('dec', uuid)).toBe(`dec_${text}`);
    expect(idToUuid('dec', `dec_${text}`)).toBe(uuid);
  });

  it('Ids agree with bigint arithmetic both ways, for every prefix', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PREFIXES), fc.oneof(uuids, bits), (prefix, uuid) => {
        const id = uuidToId(prefix, uuid);
        expect(id).toBe(`${prefix}_${encode(uuid)}`);
        expect(idToUuid(prefix, id)).toBe(uuid);
      }),
    );
  });

  it('A UUID in upper case gives the same id', () => {
    const uuid = '01890A5D-AC96-774B-BCCE-B302099A8057';
    expect(uuidToId('evt', uuid)).toBe('evt_01h455vb4pex5vsknk084sn02q');
  });

  it.for([
    '',
    '01890a5d-ac96-774b-bcce-b302099a805',
    '01890a5d-ac96-774b-bcce-b302099a80570',
    '01890a5dac96774bbcceb302099a8057',
    '01890a5d_ac96-774b-bcce-b302099a8057',
    '01890a5d-ac96-774b-bcce-b302099a805g',
    'é1890a5d-ac96-774b-bcce-b302099a8057',
    '{1890a5d-ac96-774b-bcce-b302099a805}',
  ])('The text %j is refused as a UUID', (text) =>
    expect(() => uuidToId('dec', text)).toThrow(TypeError),
  );

  const good = '01h455vb4pex5vsknk084sn02q';
  it.for([
    '',
    good,
    `evt_${good}`,
    `DEC_${good}`,
    `dec-${good}`,
    `dec_${good.toUpperCase()}`,
    `dec_${good.slice(1)}`,
    `dec_${good}0`,
    ` dec_${good}`,
    `dec_8${good.slice(1)}`,
    `dec_z${good.slice(1)}`,
    ...['i', 'l', 'o', 'u', '-', ' ', 'é', '\u0660', '\u{1f600}'].map(
      (wrong) => `dec_0${wrong}${good.slice(1 + wrong.length)}`,
    ),
  ])('The text %j is not an id', (id) => expect(idToUuid('dec', id)).toBeNull());

  it('Any text that is read as an id is written back the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', minLength: 26, maxLength: 26 }), (text) => {
        const uuid = idToUuid('dec', `dec_${text}`);
        expect(uuid === null ? `dec_${text}` : uuidToId('dec', uuid)).toBe(`dec_${text}`);
      }),
    );
  });
});

describe('New ids', () => {
  it('New ids are UUIDs of version 7 with the current time', () => {
    const clock = { now: () => 0x01890a5dac96 };
    const ids = createIdFactory({ clock, randomBytes: seededBytes('version') });
    for (let n = 0; n < 2000; n += 1) {
      expect(idToUuid('dec', ids.next('dec'))).toMatch(
        /^01890a5d-ac96-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      expect(ids.uuid()).toMatch(/^01890a5d-ac96-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  it('A new id has the same value in either form', () => {
    const options = { clock: { now: () => 1_700_000_000_000 } };
    const [a, b] = [1, 2].map(() =>
      createIdFactory({ ...options, randomBytes: seededBytes('forms') }),
    );
    for (let n = 0; n < 100; n += 1) expect(a?.next('led')).toBe(uuidToId('led', b?.uuid() ?? ''));
  });

  it('New ids sort in order of creation, even if the clock stops or goes back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -5000, max: 5000 }), { minLength: 1, maxLength: 300 }),
        fc.string(),
        (steps, seed) => {
          let now = 1_700_000_000_000;
          const ids = createIdFactory({
            clock: { now: () => now },
            randomBytes: seededBytes(seed),
          });
          let last = '';
          for (const step of steps) {
            now += step;
            for (let n = 0; n < 3; n += 1) {
              const id = n === 1 ? uuidToId('act', ids.uuid()) : ids.next('act');
              expect(id > last).toBe(true);
              last = id;
            }
          }
        },
      ),
    );
  });

  it('New ids follow the clock again once it has caught up', () => {
    let now = 2000;
    const ids = createIdFactory({ clock: { now: () => now }, randomBytes: seededBytes('back') });
    const time = (): number => Number.parseInt(ids.uuid().replace('-', '').slice(0, 12), 16);
    expect(time()).toBe(2000);
    now = 1000;
    expect(time()).toBe(2000);
    now = 3000;
    expect(time()).toBe(3000);
  });

  it('Half the counter is reserved for ids within the same millisecond', () => {
    const ids = createIdFactory({
      clock: { now: () => 1 },
      randomBytes: (size) => new Uint8Array(size).fill(255),
    });
    // The counter starts at 2^25 - 1 here: the top bit of its 26 is not set.
    expect(ids.uuid()).toBe('00000000-0001-77ff-bfff-ffffffffffff');
    expect(ids.uuid()).toBe('00000000-0001-7800-8000-ffffffffffff');
  });

  it('New ids never repeat', () => {
    let now = 0;
    const ids = createIdFactory({ clock: { now: () => now } });
    const seen = new Set<string>();
    for (let n = 0; n < 50_000; n += 1) {
      now = Math.floor(n / 7000);
      seen.add(ids.next('req'));
    }
    expect(seen.size).toBe(50_000);
  });

  it('A thousand ids take one call to the random source', () => {
    let calls = 0;
    const bytes = seededBytes('calls');
    const randomBytes = (size: number): Uint8Array => {
      calls += 1;
      return bytes(size);
    };
    const ids = createIdFactory({ clock: { now: () => 7 }, randomBytes });
    for (let n = 0; n < 10_000; n += 1) ids.next('dec');
    expect(calls).toBeLessThan(10);
  });
});
