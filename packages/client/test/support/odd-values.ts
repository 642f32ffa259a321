function raise(): never {
  throw new Error('no value');
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let at = 0; at < depth; at += 1) value = [value];
  return value;
}

function cycle(): unknown {
  const self: Record<string, unknown> = {};
  self.self = self;
  return self;
}

class Wallet {
  readonly #secret = 'x';
  get secret(): string {
    return this.#secret;
  }
}

class OpenWallet extends Wallet {
  readonly amount = '49.00';
}

class Money {
  readonly #amount = '49.00 EUR';
  toString(): string {
    return this.#amount;
  }
}

const shared = { a: 1 };
const proxy = (traps: ProxyHandler<object>) => new Proxy({ a: 1 }, traps);

/** The values of the cases of `vectors/values.json`, by name. */
export const ODD_VALUES: Readonly<Record<string, () => unknown>> = {
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  'negative Infinity': () => Number.NEGATIVE_INFINITY,
  'negative zero': () => -0,
  'integer within 2^53': () => 49n,
  'integer beyond 2^53': () => 9007199254740993n,
  'negative integer beyond 2^53': () => -9007199254740993n,
  'integer of 30 digits': () => 123456789012345678901234567890n,
  'integer of 5,000 digits': () => 10n ** 4999n,
  'float beyond 2^53': () => 1e300,
  'U+0000': () => 'a\u0000b',
  'lone surrogate': () => 'cut \ud83d',
  'whole emoji': () => '\ud83d\ude00',
  'text of 1,000,000 characters': () => 'x'.repeat(1_000_000),
  'key __proto__': () => JSON.parse('{"__proto__":1}'),
  'integers as keys': () => new Map([[1, 'a']]),
  'keys that are no text': () =>
    new Map<unknown, number>([
      [null, 1],
      [true, 2],
    ]),
  'keys that become the same': () =>
    new Map<unknown, string>([
      [1, 'a'],
      ['1', 'b'],
    ]),
  'keys that are the same when they can be held': () => ({ '\udc00': 1, '\ud800': 2 }),
  'key with signs of a JSON Pointer': () => ({ 'a/b~c': Number.NaN }),
  'key too long for a path': () => ({ ['k'.repeat(300)]: Number.NaN }),
  set: () => new Set(['a', 'b']),
  'empty set': () => new Set(),
  'mapping with text keys': () => new Map([['a', 1]]),
  cycle,
  'shared reference': () => [shared, shared],
  'depth of 100': () => nested(100),
  'list of 100,000': () => Array.from({ length: 100_000 }, () => 0),
  'undefined in a list': () => [undefined, 1],
  'undefined in an object': () => ({ a: 1, b: undefined }),
  'numbers of a typed array': () => Float64Array.of(1, 2.5),
  bytes: () => Buffer.concat([Buffer.from([0, 255]), Buffer.from('refund')]),
  'no bytes': () => new Uint8Array(0),
  buffer: () => new Uint8Array(Buffer.from('abc')).buffer,
  'time in UTC': () => new Date('2026-01-02T03:04:05Z'),
  'invalid time': () => new Date(Number.NaN),
  exception: () => new RangeError('no stock'),
  function: () => raise,
  generator: () =>
    (function* endless() {
      for (;;) yield raise();
    })(),
  symbol: () => Symbol('refund'),
  'property that throws': () =>
    Object.defineProperty({ amount: '49.00' }, 'bad', { enumerable: true, get: raise }),
  'conversion that throws': () => ({ toJSON: raise }),
  'conversion to another value': () => ({ secret: 1, toJSON: () => ({ amount: '49.00' }) }),
  'proxy that throws': () => proxy({ ownKeys: raise }),
  'proxy that answers': () => proxy({}),
  'class with private fields': () => new OpenWallet(),
  'class without public fields': () => new Wallet(),
  'class with a text': () => new Money(),
};
