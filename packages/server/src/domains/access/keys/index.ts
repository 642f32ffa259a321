export { createAuthenticator } from './authenticate.js';
export { issueKey, type KeyTools } from './issue.js';
export { everyKey } from './list.js';
export { judgeKey, usablePrincipals } from './principals.js';
export { revokeKey } from './revoke.js';
