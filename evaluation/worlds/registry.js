import { company } from './company.js';
import { confounded } from './confounded.js';
import { respelledOrders, retailOrders } from './retail.js';
import { subscriptions } from './subscriptions.js';
import { uniqueOrders } from './unique-orders.js';

/**
 * The worlds by name. They differ in what ties money to decisions, not only in parameters.
 * @type {Record<string, (seed: number, size: number) => import('./builder.js').World>}
 */
export const WORLDS = {
  company,
  retail: retailOrders,
  respelled: respelledOrders,
  subscriptions,
  confounded,
  unique: uniqueOrders,
};
