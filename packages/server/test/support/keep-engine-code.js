// JavaScript, because the types of Node.js 20 do not know WebAssembly.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/**
 * V8 compiles the same bytes once for all threads of a process, for as long as one of them holds on to
 * the result. A process of the tests starts an engine for each of its files, so it holds on to it.
 */
globalThis.keptEngineCode ??= await compile();

async function compile() {
  const path = createRequire(import.meta.url).resolve('@electric-sql/pglite/pglite.wasm');
  return WebAssembly.compile(await readFile(path));
}
