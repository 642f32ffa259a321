import type {
  HashedAmount,
  HashedFeatures,
  HashedMention,
} from '@decision-ledger/attribution/hashed-features';

const VERSION = 2;
const FORMS: readonly HashedMention['form'][] = ['key', 'text', 'word'];
const UNITS: readonly HashedAmount['unit'][] = ['minor', 'major', 'unknown'];
const HEADER_BYTES = 6;
const MENTION_BYTES = 26;
const AMOUNT_BYTES = 20;
const ENTITY = 4;
const MONEY = 4;
const NEGATIVE = 8;

/**
 * A compact form: version, counts, then 26 bytes a mention and 20 an amount, little endian.
 */
export function packFeatures({ mentions, amounts }: HashedFeatures): Buffer {
  const size = HEADER_BYTES + mentions.length * MENTION_BYTES + amounts.length * AMOUNT_BYTES;
  const bytes = Buffer.alloc(size);
  bytes.writeUInt16LE(VERSION, 0);
  bytes.writeUInt16LE(mentions.length, 2);
  bytes.writeUInt16LE(amounts.length, 4);
  let at = HEADER_BYTES;
  for (const { canonical, raw, key, digits, kind, shape, form, isEntity, among } of mentions) {
    at = bytes.writeInt32LE(canonical, at);
    at = bytes.writeInt32LE(raw, at);
    at = bytes.writeInt32LE(key, at);
    at = bytes.writeInt32LE(digits, at);
    at = bytes.writeInt32LE(kind, at);
    at = bytes.writeInt32LE(shape, at);
    at = bytes.writeUInt8(FORMS.indexOf(form) + (isEntity ? ENTITY : 0), at);
    at = bytes.writeUInt8(among, at);
  }
  for (const { value, token, key, unit, isMoney, isNegative, currency } of amounts) {
    at = bytes.writeDoubleLE(value, at);
    at = bytes.writeInt32LE(token, at);
    at = bytes.writeInt32LE(key, at);
    const flags = UNITS.indexOf(unit) + (isMoney ? MONEY : 0) + (isNegative ? NEGATIVE : 0);
    at = bytes.writeUInt8(flags, at);
    at += bytes.write((currency ?? '').padEnd(3).slice(0, 3), at, 'latin1');
  }
  return bytes;
}

/** @throws {RangeError} for another version */
export function unpackFeatures(bytes: Buffer): HashedFeatures {
  const version = bytes.length < HEADER_BYTES ? null : bytes.readUInt16LE(0);
  if (version !== VERSION) throw new RangeError(`features have version ${version}, not ${VERSION}`);
  const counts = { mentions: bytes.readUInt16LE(2), amounts: bytes.readUInt16LE(4) };
  const amountsAt = HEADER_BYTES + counts.mentions * MENTION_BYTES;
  return {
    mentions: Array.from({ length: counts.mentions }, (_, index) =>
      mentionAt(bytes, HEADER_BYTES + index * MENTION_BYTES),
    ),
    amounts: Array.from({ length: counts.amounts }, (_, index) =>
      amountAt(bytes, amountsAt + index * AMOUNT_BYTES),
    ),
  };
}

function mentionAt(bytes: Buffer, at: number): HashedMention {
  const flags = bytes.readUInt8(at + 24);
  return {
    canonical: bytes.readInt32LE(at),
    raw: bytes.readInt32LE(at + 4),
    key: bytes.readInt32LE(at + 8),
    digits: bytes.readInt32LE(at + 12),
    kind: bytes.readInt32LE(at + 16),
    shape: bytes.readInt32LE(at + 20),
    form: FORMS[flags % ENTITY] ?? 'word',
    isEntity: flags >= ENTITY,
    among: bytes.readUInt8(at + 25),
  };
}

function amountAt(bytes: Buffer, at: number): HashedAmount {
  const flags = bytes.readUInt8(at + 16);
  const currency = bytes.toString('latin1', at + 17, at + 20).trim();
  return {
    value: bytes.readDoubleLE(at),
    token: bytes.readInt32LE(at + 8),
    key: bytes.readInt32LE(at + 12),
    unit: UNITS[flags % MONEY] ?? 'unknown',
    isMoney: (flags & MONEY) !== 0,
    isNegative: (flags & NEGATIVE) !== 0,
    currency: currency === '' ? null : currency,
  };
}
