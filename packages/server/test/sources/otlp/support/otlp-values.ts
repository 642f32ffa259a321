import protobuf from 'protobufjs/minimal.js';
import { nested, text } from './otlp-request.js';

/** An AnyValue in OTLP/JSON. */
export type AnyValue = Readonly<Record<string, unknown>>;

const list = (...values: readonly AnyValue[]): AnyValue => ({ arrayValue: { values } });
export const members = (
  ...values: readonly (readonly [key: string, value: AnyValue])[]
): AnyValue => ({
  kvlistValue: { values: values.map(([key, value]) => ({ key, value })) },
});
const [one, two] = [{ intValue: '1' }, { intValue: '2' }];

function nest(depth: number): AnyValue {
  let value: AnyValue = one;
  for (let at = 0; at < depth; at += 1) value = list(value);
  return value;
}

/** The values of the cases of `vectors/values.json` that an attribute can have, by name. */
export const OTLP_VALUES: Readonly<Record<string, AnyValue>> = {
  NaN: { doubleValue: 'NaN' },
  Infinity: { doubleValue: 'Infinity' },
  'negative Infinity': { doubleValue: '-Infinity' },
  'negative zero': { doubleValue: -0 },
  'integer within 2^53': { intValue: '49' },
  'integer beyond 2^53': { intValue: '9007199254740993' },
  'negative integer beyond 2^53': { intValue: '-9007199254740993' },
  'float beyond 2^53': { doubleValue: 1e300 },
  'U+0000': { stringValue: 'a\u0000b' },
  'lone surrogate': { stringValue: 'cut \ud83d' },
  'whole emoji': { stringValue: '\ud83d\ude00' },
  'key __proto__': members(['__proto__', one]),
  'repeated key': members(['a', one], ['a', two]),
  'keys that are the same when they can be held': members(['\udc00', one], ['\ud800', two]),
  'key with signs of a JSON Pointer': members(['a/b~c', { doubleValue: 'NaN' }]),
  'key too long for a path': members(['k'.repeat(300), { doubleValue: 'NaN' }]),
  'depth of 100': nest(100),
  bytes: {
    bytesValue: Buffer.concat([Buffer.from([0, 255]), Buffer.from('refund')]).toString('base64'),
  },
  'no bytes': { bytesValue: '' },
};

/** The same value in protobuf. */
function protobufOf(value: AnyValue): Uint8Array {
  const writer = protobuf.Writer.create();
  const [[kind, content] = []] = Object.entries(value);
  if (kind === 'stringValue') return writer.uint32(0x0a).string(String(content)).finish();
  if (kind === 'intValue')
    return writer
      .uint32(0x18)
      .int64(longOf(String(content)))
      .finish();
  if (kind === 'doubleValue') return writer.uint32(0x21).double(Number(content)).finish();
  if (kind === 'bytesValue') return nested(7, Buffer.from(String(content), 'base64'));
  const inner: readonly unknown[] = Reflect.get(Object(content), 'values');
  if (kind === 'arrayValue')
    return nested(5, nested(1, ...inner.map((one) => protobufOf(Object(one)))));
  const pairs = inner.map((pair) =>
    keyValueOf(String(Reflect.get(Object(pair), 'key')), Reflect.get(Object(pair), 'value')),
  );
  return nested(6, nested(1, ...pairs));
}

export function keyValueOf(key: string, value: AnyValue): Uint8Array {
  return Buffer.concat([nested(1, text(key)), nested(2, protobufOf(value))]);
}

function longOf(digits: string): protobuf.Long {
  const bits = BigInt.asUintN(64, BigInt(digits));
  return new protobuf.util.Long(Number(bits & 0xffff_ffffn) | 0, Number(bits >> 32n) | 0, false);
}
