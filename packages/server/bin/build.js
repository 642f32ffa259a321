#!/usr/bin/env node
import { buildOrExit } from './build/ensure.js';

await buildOrExit();
