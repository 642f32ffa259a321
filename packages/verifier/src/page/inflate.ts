import type { Inflate as OnNode } from '../archive/inflate.js';

/*
 * Replaces the inflate.ts of the archive in the page, where node:zlib is missing. See there for the documentation.
 */

export const Inflate: new (format: 'deflate-raw') => Pick<OnNode, 'readable' | 'writable'> =
  DecompressionStream;
