import { buffer } from 'node:stream/consumers';
import { memorySource } from '@decision-ledger/verifier/archive/byte-source';
import { Findings } from '@decision-ledger/verifier/report/findings';
import { openArchive } from '#verifier/archive/open';
import { zip as zipOf } from './bundle.js';

/** The files of an archive in its order, unpacked. */
export async function filesIn(zip: Buffer): Promise<[name: string, bytes: Buffer][]> {
  const { files } = await openArchive(memorySource(zip), new Findings());
  const read: [string, Buffer][] = [];
  for (const file of files.values()) read.push([file.name, await buffer(file.read())]);
  return read;
}

/** The archive with a text written over the first place of another one in its files. */
export async function overwritten(zip: Buffer, from: string, to: string): Promise<Buffer> {
  const files = await filesIn(zip);
  const changed = files.find(([, bytes]) => bytes.includes(from))?.[1];
  if (changed === undefined) throw new Error(`no file has ${from}`);
  changed.write(to, changed.indexOf(from));
  return zipOf(files);
}
