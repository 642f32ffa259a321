import { describe, expect, it } from 'vitest';
import { UploadFiles } from '#verifier/checks/upload-files';

const ID = 'dec_01h455vb4pex5vsknk084sn02q';
const FILE = `${ID}.outputs`;
const [SHA, OTHER] = ['a'.repeat(64), 'b'.repeat(64)];

const upload = { sha256: SHA, size: 9, media_type: 'text/plain' };
const stated = {
  name: 'outputs',
  value: { $upload: upload },
  salt: null,
  commitment: null,
} as const;

/** Of a manifest, what is read. */
const filesOf = (...files: { name: string; sha256: string; bytes: number }[]) =>
  new UploadFiles({ files });

describe('Files of uploads', () => {
  it('A file with the digest and the size that its field states is what it stands for', () => {
    const files = filesOf({ name: FILE, sha256: SHA, bytes: 9 });
    expect(files.problemOf(ID, stated)).toBeNull();
    expect([...files.unstated()]).toEqual([]);
  });

  it.each([
    ['another digest', { name: FILE, sha256: OTHER, bytes: 9 }],
    ['another size', { name: FILE, sha256: SHA, bytes: 8 }],
    ['the name of another field', { name: `${ID}.inputs`, sha256: SHA, bytes: 9 }],
  ])('A file with %s is not what the field stands for', (_, file) => {
    expect(filesOf(file).problemOf(ID, stated)).toContain('outputs stands for');
  });

  it('A file that no field stands for is named, and other files of the bundle are not', () => {
    const files = filesOf(
      { name: 'keys.json', sha256: SHA, bytes: 9 },
      { name: FILE, sha256: SHA, bytes: 9 },
    );
    expect(files.problemOf(ID, { ...stated, value: { order: 1 } })).toBeNull();
    expect([...files.unstated()]).toEqual([FILE]);
  });

  it('A file stands for one field once', () => {
    const files = filesOf({ name: FILE, sha256: SHA, bytes: 9 });
    files.problemOf(ID, stated);
    expect(files.problemOf(ID, stated)).toContain('there is no file');
  });
});
