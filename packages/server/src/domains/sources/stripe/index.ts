export { pulledInbox } from './keep-pulled.js';
export { STRIPE_OBJECTS, stripeJobs } from './record-movements.js';
