import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const BROWSER = join(import.meta.dirname, 'browser');

/** Collects files under names that contain a hash of their content, so that they may be kept for good. */
export class Assets {
  #files = new Map();

  /** @returns the address below the root of the site */
  add(name, bytes) {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    const ending = extname(name);
    const stem = name.slice(0, -ending.length).replaceAll(/[^a-z0-9]+/gi, '-');
    const address = `assets/${stem}-${hash}${ending}`;
    this.#files.set(address, bytes);
    return address;
  }

  files() {
    return this.#files.entries();
  }
}

/** What every page needs: its style, its script and its icon. */
export async function addOwn(assets) {
  return {
    css: assets.add('site.css', Buffer.concat(['text.css', 'frame.css', 'search.css'].map(read))),
    icon: assets.add('icon.svg', read('icon.svg')),
    js: assets.add('main.js', Buffer.from(await bundleScript())),
  };
}

function read(name) {
  return readFileSync(join(BROWSER, name));
}

async function bundleScript() {
  const { rolldown } = await import('rolldown');
  const built = await rolldown({ input: join(BROWSER, 'main.js'), platform: 'browser' });
  const { output } = await built.generate({ format: 'esm', minify: true });
  await built.close();
  return output[0].code;
}

/** Adds a picture or a data file that a page refers to. @returns its address, or undefined if the file is neither */
export function addFile(assets, root, file) {
  const name = /^docs\/(?:images\/(.*\.(?:svg|webp))|data\/(.*\.csv))$/.exec(file);
  if (name === null) return undefined;
  return assets.add(name[1] ?? name[2], readFileSync(join(root, file)));
}
