import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#server/config';

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-secrets-'));
const file = (name: string) => join(folder, name);
const KEY = Buffer.alloc(32, 'a key').toString('base64');

beforeAll(() => {
  writeFileSync(file('url'), 'postgres://ledger:secret@127.0.0.1/ledger\n');
  writeFileSync(file('owner'), 'postgres://owner:secret@127.0.0.1/ledger\n');
  writeFileSync(file('key'), `${KEY}\n`);
  writeFileSync(file('direct'), 'postgres://ledger:secret@127.0.0.2/ledger');
  writeFileSync(file('previous'), KEY);
  writeFileSync(file('aws'), ' aws secret \n');
  writeFileSync(file('empty'), '\n');
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('Secrets in files', () => {
  it('Each secret is read from the file that its variable names', () => {
    const config = readConfig({
      DATABASE_URL_FILE: file('url'),
      DATABASE_DIRECT_URL_FILE: file('direct'),
      LEDGER_DATABASE_OWNER_URL_FILE: file('owner'),
      LEDGER_MASTER_KEY_FILE: file('key'),
      LEDGER_MASTER_KEY_PREVIOUS_FILE: file('previous'),
      LEDGER_FILES_URL: 's3://evidence?region=eu-central-1',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY_FILE: file('aws'),
    });
    expect(config).toMatchObject({
      storage: {
        ...{ kind: 'postgres', url: 'postgres://ledger:secret@127.0.0.1/ledger' },
        ownerUrl: 'postgres://owner:secret@127.0.0.1/ledger',
        directUrl: 'postgres://ledger:secret@127.0.0.2/ledger',
      },
      ...{ masterKey: KEY, previousMasterKey: KEY },
      files: { credentials: { secretAccessKey: 'aws secret' } },
    });
  });

  it('A value and a file for one secret are refused', () => {
    expect(() =>
      readConfig({ LEDGER_MASTER_KEY: KEY, LEDGER_MASTER_KEY_FILE: file('key') }),
    ).toThrow('set either LEDGER_MASTER_KEY or LEDGER_MASTER_KEY_FILE, not both');
  });

  it('A file that is missing or empty is named, with its variable', () => {
    expect(() => readConfig({ LEDGER_MASTER_KEY_FILE: file('none') })).toThrow(
      `LEDGER_MASTER_KEY_FILE names a file that cannot be read (ENOENT): ${file('none')}`,
    );
    expect(() => readConfig({ DATABASE_URL_FILE: file('empty') })).toThrow(
      `DATABASE_URL_FILE names a file without content: ${file('empty')}`,
    );
  });

  it('An empty variable counts as unset', () => {
    expect(readConfig({ LEDGER_MASTER_KEY_FILE: '', LEDGER_MASTER_KEY: KEY }).masterKey).toBe(KEY);
  });
});
