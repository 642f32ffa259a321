export { describeSigningKey, everySigningKey } from './list.js';
export { resealSigningKeys, SigningKeyError } from './private-key.js';
export { ensureKey, openSigner, replaceSigningKey, requireSigner, type Signer } from './sign.js';
