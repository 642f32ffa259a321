import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '#server/config';

const KEYS = { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'the-secret' };

const filesOf = (LEDGER_FILES_URL: string, more: Readonly<Record<string, string>> = KEYS) =>
  readConfig({ LEDGER_FILES_URL, ...more }).files;

const credentials = { accessKeyId: 'AKID', secretAccessKey: 'the-secret' };

describe('LEDGER_FILES_URL', () => {
  it('Files are kept in the data folder by default', () => {
    expect(readConfig({}).files).toEqual({ kind: 'folder', path: resolve('data/files') });
    const postgres = {
      DATABASE_URL: 'postgres://localhost/ledger',
      LEDGER_MASTER_KEY: Buffer.alloc(32).toString('base64'),
    };
    expect(readConfig({ ...postgres, LEDGER_DATA_DIR: '/srv/ledger' }).files).toEqual({
      kind: 'folder',
      path: '/srv/ledger/files',
    });
  });

  it('Files may be kept in another folder', () => {
    const path = '/var/lib/ledger/my files';
    expect(filesOf('file:///var/lib/ledger/my%20files')).toEqual({ kind: 'folder', path });
  });

  it('Files may be kept in a bucket of AWS or of another server', () => {
    expect(filesOf('s3://bundles/ledger/one/?region=eu-central-1')).toEqual({
      ...{ kind: 's3', bucket: 'bundles', prefix: 'ledger/one/', endpoint: null },
      ...{ region: 'eu-central-1', pathStyle: false, credentials },
    });
    expect(
      filesOf('s3://bundles?endpoint=https://s3.example.com:9000&path_style=true', {
        ...KEYS,
        AWS_SESSION_TOKEN: 'the-token',
      }),
    ).toEqual({
      ...{ kind: 's3', bucket: 'bundles', prefix: '', endpoint: 'https://s3.example.com:9000/' },
      ...{ region: 'us-east-1', pathStyle: true },
      credentials: { ...credentials, sessionToken: 'the-token' },
    });
  });

  it.for([
    ['files', 'file:///'],
    ['/var/lib/files', 'file:///'],
    ['http://example.com/files', 'file:///'],
    ['file://server/share', 'a local folder'],
    ['file:///a?b=c', 'a local folder'],
    ['file:///a%2Fb', 'a local folder'],
    ['file:///a#b', 'after "#"'],
    ['s3://b', 'name a bucket'],
    ['s3:///prefix', 'name a bucket'],
    ['s3://bundles', 'a region'],
    ['s3://bundles/../other?region=a b', 'a region'],
    ['s3://bundles/a//b?region=eu-central-1', 'a prefix'],
    ['s3://bundles/a%20b?region=eu-central-1', 'a prefix'],
    ['s3://bundles?endpoint=s3.example.com', 'an endpoint such as'],
    ['s3://bundles?endpoint=ftp://s3.example.com', 'an endpoint such as'],
    ['s3://bundles?region=eu-central-1&path_style=yes', 'path_style=true'],
    ['s3://bundles?region=eu-central-1&region=eu-west-1', 'each once'],
  ] as const)('The URL %s is refused, and the error contains "%s"', ([url, reason]) => {
    expect(() => filesOf(url)).toThrow(reason);
    expect(() => filesOf(url)).toThrow(/^LEDGER_FILES_URL m/);
  });

  it.for([
    's3://AKIDX:verysecret@bundles?region=eu-central-1',
    's3://AKIDX@bundles?region=eu-central-1',
    's3://bundles?endpoint=https://AKIDX:verysecret@s3.example.com',
    's3://bundles?region=eu-central-1&secret_access_key=verysecret',
    's3://bundles?region=eu-central-1&verysecret',
    's3://bundles?region=verysecret%2F',
    'verysecret',
  ])('An invalid URL is not repeated in the error, as it may hold credentials: %s', (url) => {
    const refuse = () => filesOf(url);
    expect(refuse).toThrow(/^LEDGER_FILES_URL/);
    expect(refuse).not.toThrow(/verysecret|AKIDX/);
  });

  it('A bucket needs credentials', () => {
    const url = 's3://bundles?region=eu-central-1';
    const message = 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required';
    expect(() => filesOf(url, {})).toThrow(message);
    expect(() => filesOf(url, { AWS_ACCESS_KEY_ID: 'AKID' })).toThrow(message);
  });
});
