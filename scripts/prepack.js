// Runs before a package is packed: builds what is out of date, and adds the licence.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { buildOrExit } from '../packages/server/bin/build/ensure.js';

await buildOrExit();
copyFileSync(join(import.meta.dirname, '../LICENSE'), join(process.cwd(), 'LICENSE'));
