export { ensureKey, rotateKey } from './change.js';
export { describeKey, everySigningKey } from './list.js';
export { resealSigningKeys, trySigningKeys } from './reseal.js';
export { SigningKeyError } from './seal.js';
export { openSigner, requireSigner } from './sign.js';
