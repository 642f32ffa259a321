export { openSession, sessionCredentials, usableCredentials } from './sessions.js';
