// Checks the package of the client as its users get it: publint, the types under every resolution
// (attw), no module of Node.js where there is none, and the size.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { rolldown } from 'rolldown';

const ROOT = join(import.meta.dirname, '..');
const PACKAGE = join(ROOT, 'packages/client');
/** Minified and compressed with gzip. Browsers load the first one; the second one has the outbox besides. */
const MAX_BYTES = { web: 16 * 1024, node: 20 * 1024 };

const problems = [...(await lint()), ...checkTypes(), ...(await checkBundles())];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

async function lint() {
  const { messages } = await publint({ pkgDir: PACKAGE, strict: true });
  const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  return messages.map((message) => `publint: ${formatMessage(message, manifest)}`);
}

/** One module for all: CommonJS requires it since Node.js 20.19, with declarations that only say they are CommonJS. */
function checkTypes() {
  const folder = mkdtempSync(join(tmpdir(), 'client-package-'));
  try {
    const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: PACKAGE,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const name = nameOf(JSON.parse(packed));
    const attw = join(ROOT, 'node_modules/.bin/attw');
    const options = ['--profile', 'esm-only', '--ignore-rules', 'false-cjs'];
    execFileSync(attw, [join(folder, name), ...options], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return [];
  } catch (error) {
    return [`attw: ${error.stdout ?? error}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** npm 11 answers an object by the name of the package, earlier ones a list. */
function nameOf(packed) {
  const [one] = Array.isArray(packed) ? packed : Object.values(packed);
  return one.filename;
}

async function checkBundles() {
  const web = await bundle('web');
  const node = await bundle('node');
  const sizes = { web: gzipSync(web).length, node: gzipSync(node).length };
  const shown = Object.entries(sizes).map(
    ([name, size]) => `${name} ${(size / 1024).toFixed(1)} KB`,
  );
  process.stdout.write(`The client, minified and compressed: ${shown.join(', ')}.\n`);
  const large = Object.entries(sizes).filter(([name, size]) => size > MAX_BYTES[name]);
  return [
    ...large.map(
      ([name, size]) => `${name}.js has ${size} bytes compressed, more than ${MAX_BYTES[name]}`,
    ),
    ...(/["'](node:|fs["'])/.test(web) ? ['web.js imports a module of Node.js'] : []),
  ];
}

async function bundle(name) {
  const built = await rolldown({
    input: join(PACKAGE, `dist/${name}.js`),
    platform: name === 'web' ? 'browser' : 'node',
    logLevel: 'silent',
  });
  const { output } = await built.generate({ format: 'esm', minify: true });
  await built.close();
  return output[0].code;
}
