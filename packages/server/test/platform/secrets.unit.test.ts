import { hkdfSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  deriveKey,
  hmac,
  loadMasterKey,
  MasterKeyError,
  SealError,
  SecretBox,
} from '#server/platform/secrets';

const MASTER = Buffer.alloc(32, 7);

describe('Derived keys', () => {
  it('A derived key is 32 bytes of HKDF-SHA256, one for each purpose and master key', () => {
    const expected = hkdfSync('sha256', MASTER, '', 'decision-ledger/cursor', 32);
    expect(deriveKey(MASTER, 'cursor')).toEqual(Buffer.from(expected));
    expect(deriveKey(MASTER, 'secrets')).not.toEqual(deriveKey(MASTER, 'cursor'));
    expect(deriveKey(Buffer.alloc(32), 'cursor')).not.toEqual(deriveKey(MASTER, 'cursor'));
  });
});

describe('Message authentication', () => {
  it('The code is HMAC-SHA256 (RFC 4231, test case 2)', () => {
    const code = hmac(Buffer.from('Jefe'), 'what do ya want for nothing?');
    expect(Buffer.from(code).toString('hex')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });
});

describe('Sealed secrets', () => {
  const box = new SecretBox(deriveKey(MASTER, 'secrets'));

  it('A sealed secret opens to its plain text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        (text, about) => {
          const sealed = box.seal(text, about);
          expect(sealed).toHaveLength(29 + Buffer.byteLength(text));
          expect(sealed[0]).toBe(1);
          expect(box.open(sealed, about).toString()).toBe(text);
        },
      ),
    );
  });

  it('A sealed secret may be bytes', () => {
    const bytes = randomBytes(100);
    expect(box.open(box.seal(bytes, ''), '')).toEqual(bytes);
  });

  it('Sealing the same secret twice gives different bytes', () => {
    expect(box.seal('same', 'x')).not.toEqual(box.seal('same', 'x'));
  });

  it('A sealed secret does not open for another purpose or under another key', () => {
    const sealed = box.seal('whsec_1', 'led_1/stripe');
    const other = new SecretBox(deriveKey(Buffer.alloc(32), 'secrets'));
    expect(() => box.open(sealed, 'led_2/stripe')).toThrow(SealError);
    expect(() => other.open(sealed, 'led_1/stripe')).toThrow(SealError);
  });

  it('A sealed secret does not open with any bit changed or any part removed', () => {
    const sealed = box.seal('a secret', 'x');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => box.open(changed, 'x')).toThrow(SealError);
    }
    for (let size = 0; size < sealed.length; size += 1) {
      expect(() => box.open(sealed.subarray(0, size), 'x')).toThrow(SealError);
    }
  });

  it('Sealing needs a key of 32 bytes', () => {
    expect(() => new SecretBox(Buffer.alloc(16))).toThrow(RangeError);
  });
});

describe('Master key in the environment', () => {
  it('The master key is 32 bytes of base64, with or without padding and white space', () => {
    const text = MASTER.toString('base64');
    for (const base64 of [text, ` ${text}\n`, text.replace('=', '')]) {
      expect(loadMasterKey({ base64 })).toEqual(MASTER);
    }
  });

  it.for([
    ['', 'missing or empty'],
    [' \n', 'missing or empty'],
    [Buffer.alloc(31, 9).toString('base64'), 'has 31 bytes instead of 32'],
    [Buffer.alloc(33, 9).toString('base64'), 'has 33 bytes instead of 32'],
    ['k'.repeat(44), 'has 33 bytes'],
    ['correct horse battery staple', 'not valid base64'],
    [`${'A'.repeat(42)}B=`, 'not valid base64'],
    [`${'-'.repeat(43)}=`, 'not valid base64'],
  ] as const)('The master key %j is refused: %s', ([base64, reason]) => {
    const load = (): Buffer => loadMasterKey({ base64 });
    expect(load).toThrow(MasterKeyError);
    expect(load).toThrow(reason);
    expect(load).toThrow(/^LEDGER_MASTER_KEY .*openssl rand -base64 32/);
    if (base64.trim() !== '') expect(load).not.toThrow(base64);
  });
});

describe('Master key in a file', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'master-key-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('The master key file is created once, for its owner alone, and read from then on', () => {
    const file = join(folder, 'data', 'master.key');
    const key = loadMasterKey({ file });
    expect(key).toHaveLength(32);
    expect(readFileSync(file, 'utf8')).toBe(`${key.toString('base64')}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(loadMasterKey({ file })).toEqual(key);
    expect(readdirSync(join(folder, 'data'))).toEqual(['master.key']);
  });

  it('Two processes that create the file concurrently get the same key', () => {
    const file = join(folder, 'master.key');
    let winner: Buffer | undefined;
    const key = loadMasterKey({ file }, (size) => {
      // Another process creates the file between the check of the folder and the write.
      winner ??= loadMasterKey({ file });
      return Buffer.alloc(size, 1);
    });
    expect(key).toEqual(winner);
    expect(readdirSync(folder)).toEqual(['master.key']);
  });

  it.for(['', 'AAAA', 'not base64 at all!'])(
    'A master key file with the content %j is refused and not replaced',
    (text) => {
      const file = join(folder, 'master.key');
      writeFileSync(file, text);
      expect(() => loadMasterKey({ file })).toThrow(MasterKeyError);
      expect(() => loadMasterKey({ file })).toThrow(`${file} `);
      expect(() => loadMasterKey({ file })).toThrow('restore it from a backup');
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );

  it('A folder that cannot be created is an error with its cause', () => {
    writeFileSync(join(folder, 'data'), '');
    expect(() => loadMasterKey({ file: join(folder, 'data', 'master.key') })).toThrow(/ENOTDIR/);
  });
});
