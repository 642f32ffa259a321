export { ensureKey, rotateKey, type SigningKeyTools } from './change.js';
export { ALGORITHM, describeKey, listSigningKeys } from './list.js';
export { SigningKeyError } from './seal.js';
export { openSigner, type Signer } from './sign.js';
