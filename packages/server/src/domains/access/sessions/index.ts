export { sessionCredentials, usableCredentials } from './principals.js';
