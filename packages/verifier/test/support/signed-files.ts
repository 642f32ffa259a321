import { createHash, sign } from 'node:crypto';
import type { Draft } from './bundle.js';

/** The files of a bundle with its manifest and signature, before they are packed. */
export function signedFiles(draft: Draft): [string, Buffer][] {
  const files = [...draft.files].map(([name, bytes]) => ({
    ...{ name, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length },
  }));
  const manifest = Buffer.from(`${JSON.stringify({ ...draft.manifest, files }, null, 2)}\n`);
  const signature = sign('sha256', manifest, draft.key.privateKey);
  return [...draft.files, ['manifest.json', manifest], ['manifest.sig', signature]];
}
