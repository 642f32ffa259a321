import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { licencesOf } from './licences.js';

const VERIFIER = 'packages/verifier';

/**
 * Bundles the verifier into a single page that needs no other file and no network. The modules that
 * need Node.js are replaced by those for browsers.
 */
export async function buildPage(tree) {
  const home = join(tree, VERIFIER);
  const source = join(home, 'src', 'page');
  if (!existsSync(join(source, 'verify.html'))) return;
  const style = readFileSync(join(source, 'style.css'), 'utf8');
  // A literal `</script` would end the script element.
  const { code, modules } = await bundle(home, tree);
  const script = code.replaceAll('</script', '<\\/script');
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const page = readFileSync(join(source, 'verify.html'), 'utf8')
    .replace("default-src 'none'", () => policy)
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script></script>', () => `<script>${script}</script>`)
    .replace('<pre></pre>', () => `<pre>${escaped(licencesOf(modules))}</pre>`);
  writeFileSync(join(home, 'dist', 'verify.html'), page);
}

async function bundle(home, tree) {
  // A development dependency, needed for builds only.
  const { rolldown } = await import('rolldown');
  const compiled = join(home, 'dist');
  const inPage = (name) => join(compiled, 'page', name);
  const replaced = new Map([
    [realpathSync(join(tree, 'packages', 'proof', 'dist', 'hash.js')), inPage('hash.js')],
    [join(realpathSync(compiled), 'archive', 'inflate.js'), inPage('inflate.js')],
  ]);
  const inBrowser = {
    name: 'modules-in-browser',
    async resolveId(specifier, importer, options) {
      const found = await this.resolve(specifier, importer, { ...options, skipSelf: true });
      return replaced.get(found?.id) ?? found;
    },
  };
  const built = await rolldown({
    input: join(compiled, 'page', 'main.js'),
    platform: 'browser',
    plugins: [inBrowser],
    logLevel: 'silent',
    onLog: (_level, log) => {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
    },
  });
  const { output } = await built.generate({ format: 'iife', minify: true });
  await built.close();
  return { code: output[0].code, modules: output[0].moduleIds };
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function digest(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
