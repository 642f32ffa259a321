import { resolve } from 'node:path';
import { buildOrExit } from '../../bin/build/ensure.js';
import { SERVER } from './paths.js';

// Once for all processes that the tests start.
await buildOrExit();

/** The commands that a user starts; built code. Only the look for changed sources, which a repository begins with, is left out. */
export const PROGRAM = resolve(SERVER, 'bin/run.js');
