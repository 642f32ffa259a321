#!/usr/bin/env node
import nodeModule from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `decision-ledger: Node.js 20.19 or newer is needed, this is ${process.version}. Install a newer Node.js and start again.\n`,
  );
  process.exit(1);
}

const { buildOrExit } = await import('./build/ensure.js');
await buildOrExit();
// From Node.js 22.1: caches compiled code next to its source.
nodeModule.enableCompileCache?.(fileURLToPath(new URL('../dist/run/cache', import.meta.url)));
// V8 optimises functions of the embedded database after little use, which takes a short run a third of its work. It waits
// until each has run about 0.2 s: under load, a service soon has them all.
v8.setFlagsFromString('--wasm-tiering-budget=300000000');
process.setSourceMapsEnabled(true);
await import('../dist/run/main.js');
