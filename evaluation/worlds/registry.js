import { accountsPayable } from './accounts-payable.js';
import { adSpend } from './ad-spend.js';
import { amounts } from './amounts.js';
import { anonymous } from './anonymous.js';
import { background } from './background.js';
import { cardScreening } from './card-screening.js';
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
import { groceryEtl } from './grocery-etl.js';
import { homeware } from './homeware.js';
import { hotel } from './hotel.js';
import { insuranceClaims } from './insurance-claims.js';
import { lumpPayments } from './lump-payments.js';
import { marketplace } from './marketplace.js';
import { netting } from './netting.js';
import { partsOrders } from './parts-orders.js';
import { payroll } from './payroll.js';
import { recruiting } from './recruiting.js';
import { reserves } from './reserves.js';
import { respelledOrders, retailOrders } from './retail.js';
import { retailBank } from './retail-bank.js';
import { retries } from './retries.js';
import { roadFines } from './road-fines.js';
import { seatProration } from './seat-proration.js';
import { seats } from './seats.js';
import { shelfPricing } from './shelf-pricing.js';
import { subscriptions } from './subscriptions.js';
import { telecomCredits } from './telecom-credits.js';
import { tickets } from './tickets.js';
import { travelDesk } from './travel-desk.js';
import { uniqueOrders } from './unique-orders.js';
import { videoPlans } from './video-plans.js';

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
  homeware,
  'video-plans': videoPlans,
  'retail-bank': retailBank,
  'travel-desk': travelDesk,
  'grocery-etl': groceryEtl,
  'parts-orders': partsOrders,
  'road-fines': roadFines,
  'insurance-claims': insuranceClaims,
  'telecom-credits': telecomCredits,
  'accounts-payable': accountsPayable,
  'card-screening': cardScreening,
  'seat-proration': seatProration,
  'shelf-pricing': shelfPricing,
};
