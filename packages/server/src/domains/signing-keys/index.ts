export { ensureKey, rotateKey, type SigningKeyTools } from './change.js';
export { describeKey, listSigningKeys } from './list.js';
export { SigningKeyError } from './seal.js';
export { openSigner } from './sign.js';
