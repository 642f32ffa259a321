export { everyDeadJob, retryDeadJob } from './dead.js';
