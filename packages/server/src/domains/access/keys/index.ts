export { createAuthenticator } from './authenticate.js';
export { issueKey, type KeyTools } from './issue.js';
export { judgeKey } from './judge.js';
export { everyKey } from './list.js';
export { revokeKey } from './revoke.js';
export { usablePrincipals } from './usable.js';
