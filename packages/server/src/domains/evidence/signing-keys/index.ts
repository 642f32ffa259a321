export { ensureKey, replaceSigningKey } from './change.js';
export { describeSigningKey, everySigningKey } from './list.js';
export { SigningKeyError } from './private-key.js';
export { resealSigningKeys } from './reseal.js';
export { openSigner, requireSigner, type Signer } from './sign.js';
