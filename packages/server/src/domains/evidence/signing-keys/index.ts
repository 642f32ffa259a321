export { ensureKey, rotateKey } from './change.js';
export { describeKey, everySigningKey } from './list.js';
export { SigningKeyError } from './private-key.js';
export { resealSigningKeys } from './reseal.js';
export { openSigner, requireSigner, type Signer } from './sign.js';
