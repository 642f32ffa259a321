export { STRIPE_OBJECTS, stripeJobs } from './record-movements.js';
