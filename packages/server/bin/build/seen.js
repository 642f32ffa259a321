import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ignoring } from './lock.js';
import { buildFiles, fingerprint } from './sources.js';

/** A file that was just written may change again without another time: only after this, in ms, is it relied on. */
const SETTLED_MS = 2000;

/**
 * The fingerprint of the sources. Every start asks for it, so it is read from them again only if a file was
 * written, added or removed since the last time.
 */
export function currentFingerprint(root, packages) {
  const path = join(root, '.build', 'seen');
  const before = stateOf(root, packages);
  const [state, known] = readSeen(path);
  if (state === before.digest && known !== undefined) return known;
  const made = fingerprint(root, packages);
  if (Date.now() - before.newest > SETTLED_MS) remember(path, `${before.digest} ${made}`);
  return made;
}

/** What the file system says of the sources: the times of changes of their contents cannot be set back. */
function stateOf(root, packages) {
  const hash = createHash('sha256');
  let newest = 0;
  for (const file of buildFiles(root, packages)) {
    const stat = statSync(join(root, file), { throwIfNoEntry: false });
    if (stat === undefined) continue;
    newest = Math.max(newest, stat.ctimeMs);
    hash.update(`${file}\0${stat.size}\0${stat.mtimeMs}\0${stat.ctimeMs}\0${stat.ino}\n`);
  }
  return { digest: hash.digest('hex'), newest };
}

function readSeen(path) {
  const text = ignoring('ENOENT', () => readFileSync(path, 'utf8')) ?? '';
  return text.split(' ');
}

/** Only saves time: where nothing may be written, every start reads the sources. */
function remember(path, text) {
  const draft = `${path}-${process.pid}`;
  try {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(draft, text);
    renameSync(draft, path);
  } catch {
    // The next start tries again.
  }
}
