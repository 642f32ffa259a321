import nodeModule from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

// From Node.js 22.1: caches compiled code next to its source.
nodeModule.enableCompileCache?.(fileURLToPath(new URL('../dist/run/cache', import.meta.url)));
// V8 optimises functions of the embedded database after little use, which takes a short run a third of its work. It waits
// for 170 times that use: a service under load soon has those that it needs, and starts sooner.
v8.setFlagsFromString('--wasm-tiering-budget=300000000');
process.setSourceMapsEnabled(true);
await import('../dist/run/main.js');
