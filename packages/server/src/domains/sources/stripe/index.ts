export { STRIPE_OBJECTS } from './queue.js';
