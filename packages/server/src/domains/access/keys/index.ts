export {
  type Authenticator,
  type CredentialKind,
  createAuthenticator,
  judgeKey,
  keyCredentials,
  usablePrincipals,
} from './authenticate.js';
export { everyKey, findKey, issueKey, revokeKey } from './keys.js';
export { credentialText, isUsable, makeSecret } from './rules/key.js';
