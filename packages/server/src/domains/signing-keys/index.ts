export { ensureKey, rotateKey, type SigningKeyTools } from './change.js';
export { ALGORITHM, describeKey, everySigningKey } from './list.js';
export { SigningKeyError } from './seal.js';
export { openSigner } from './sign.js';
