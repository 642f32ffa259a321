#!/usr/bin/env node
import { existsSync } from 'node:fs';
import process from 'node:process';

// In the repository it may have to be built first; a published package has its dist/.
const build = new URL('../../server/bin/build/ensure.js', import.meta.url);
if (existsSync(build)) await (await import(build.href)).buildOrExit();

const { main } = await import('../dist/cli/main.js');
process.exitCode = await main(process.argv.slice(2));
