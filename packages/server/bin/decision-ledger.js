#!/usr/bin/env node
import process from 'node:process';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `decision-ledger: Node.js 20.19 or newer is needed, this is ${process.version}. Install a newer Node.js and start again.\n`,
  );
  process.exit(1);
}

const { buildOrExit } = await import('./build/ensure.js');
await buildOrExit();
await import('./run.js');
