export { type Authenticator, createAuthenticator } from './authenticate.js';
export { type CredentialKind, keyCredentials } from './credentials.js';
export { issueKey } from './issue.js';
export { everyKey, findKey } from './list.js';
export { judgeKey, usablePrincipals } from './principals.js';
export { revokeKey } from './revoke.js';
export { isUsable } from './rules/key.js';
export { credentialText, makeSecret } from './rules/key-text.js';
