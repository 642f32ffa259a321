import { adSpend } from './ad-spend.js';
import { amounts } from './amounts.js';
import { anonymous } from './anonymous.js';
import { background } from './background.js';
import { chain } from './chain.js';
import { chargebacks } from './chargebacks.js';
import { claims } from './claims.js';
import { clinic } from './clinic.js';
import { cloudBill } from './cloud-bill.js';
import { company } from './company.js';
import { confounded } from './confounded.js';
import { energy } from './energy.js';
import { nextMidnight, sameMidnight } from './etl.js';
import { fines } from './fines.js';
import { fleet } from './fleet.js';
import { freight } from './freight.js';
import { giftCards } from './gift-cards.js';
import { grants } from './grants.js';
import { hotel } from './hotel.js';
import { lumpPayments } from './lump-payments.js';
import { marketplace } from './marketplace.js';
import { netting } from './netting.js';
import { payroll } from './payroll.js';
import { recruiting } from './recruiting.js';
import { reserves } from './reserves.js';
import { respelledOrders, retailOrders } from './retail.js';
import { retries } from './retries.js';
import { seats } from './seats.js';
import { subscriptions } from './subscriptions.js';
import { tickets } from './tickets.js';
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
  chain,
  'etl-same-day': sameMidnight,
  'etl-next-day': nextMidnight,
  unique: uniqueOrders,
  amounts,
  anonymous,
  claims,
  fines,
  background,
  'lump-payments': lumpPayments,
  'cloud-bill': cloudBill,
  tickets,
  payroll,
  marketplace,
  hotel,
  freight,
  'gift-cards': giftCards,
  recruiting,
  'ad-spend': adSpend,
  energy,
  reserves,
  clinic,
  retries,
  netting,
  seats,
  chargebacks,
  fleet,
  grants,
};
