export { listDeadJobs, retryDeadJob } from './dead.js';
