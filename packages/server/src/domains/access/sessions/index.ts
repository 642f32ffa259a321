export { openSession } from './open.js';
export { sessionCredentials, usableCredentials } from './principals.js';
