import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from './generator.js';
import { accountsPayable } from './structures/accounts-payable.js';
import { adSpend } from './structures/ad-spend.js';
import { amounts } from './structures/amounts.js';
import { anonymous } from './structures/anonymous.js';
import { background } from './structures/background.js';
import { cardScreening } from './structures/card-screening.js';
import { chain } from './structures/chain.js';
import { chargebacks } from './structures/chargebacks.js';
import { claims } from './structures/claims.js';
import { clinic } from './structures/clinic.js';
import { cloudBill } from './structures/cloud-bill.js';
import { company } from './structures/company.js';
import { confounded } from './structures/confounded.js';
import { energy } from './structures/energy.js';
import { etl } from './structures/etl.js';
import { fines } from './structures/fines.js';
import { fleet } from './structures/fleet.js';
import { freight } from './structures/freight.js';
import { giftCards } from './structures/gift-cards.js';
import { grants } from './structures/grants.js';
import { groceryEtl } from './structures/grocery-etl.js';
import { homeware } from './structures/homeware.js';
import { hotel } from './structures/hotel.js';
import { insuranceClaims } from './structures/insurance-claims.js';
import { lumpPayments } from './structures/lump-payments.js';
import { marketplace } from './structures/marketplace.js';
import { netting } from './structures/netting.js';
import { partsOrders } from './structures/parts-orders.js';
import { payroll } from './structures/payroll.js';
import { recruiting } from './structures/recruiting.js';
import { reserves } from './structures/reserves.js';
import { retail } from './structures/retail.js';
import { retailBank } from './structures/retail-bank.js';
import { retries } from './structures/retries.js';
import { roadFines } from './structures/road-fines.js';
import { seatProration } from './structures/seat-proration.js';
import { seats } from './structures/seats.js';
import { shelfPricing } from './structures/shelf-pricing.js';
import { subscriptions } from './structures/subscriptions.js';
import { telecomCredits } from './structures/telecom-credits.js';
import { tickets } from './structures/tickets.js';
import { travelDesk } from './structures/travel-desk.js';
import { uniqueOrders } from './structures/unique-orders.js';
import { videoPlans } from './structures/video-plans.js';

/**
 * What no parameter describes: how the decisions and the money of a world follow from each other. A
 * record of the table names one, or has its name.
 * @type {Record<string, import('./generator.js').Structure>}
 */
const STRUCTURES = {
  'accounts-payable': accountsPayable,
  'ad-spend': adSpend,
  amounts,
  anonymous,
  background,
  'card-screening': cardScreening,
  chain,
  chargebacks,
  claims,
  clinic,
  'cloud-bill': cloudBill,
  company,
  confounded,
  energy,
  etl,
  fines,
  fleet,
  freight,
  'gift-cards': giftCards,
  grants,
  'grocery-etl': groceryEtl,
  homeware,
  hotel,
  'insurance-claims': insuranceClaims,
  'lump-payments': lumpPayments,
  marketplace,
  netting,
  'parts-orders': partsOrders,
  payroll,
  recruiting,
  reserves,
  'retail-bank': retailBank,
  retail,
  retries,
  'road-fines': roadFines,
  'seat-proration': seatProration,
  seats,
  'shelf-pricing': shelfPricing,
  subscriptions,
  'telecom-credits': telecomCredits,
  tickets,
  'travel-desk': travelDesk,
  'unique-orders': uniqueOrders,
  'video-plans': videoPlans,
};

/** @type {Record<string, import('./generator.js').WorldRecord>} */
const TABLE = JSON.parse(readFileSync(join(import.meta.dirname, 'worlds.json'), 'utf8'));

/**
 * The worlds by name. They differ in what ties money to decisions, not only in parameters.
 * @type {Record<string, (seed: number, size: number) => import('./builder.js').World>}
 */
export const WORLDS = Object.fromEntries(
  Object.entries(TABLE).map(([name, record]) => {
    const structure = STRUCTURES[record.structure ?? name];
    if (structure === undefined) throw new Error(`worlds.json: ${name} has no known structure`);
    return [name, (seed, size) => generate({ name, record, structure }, seed, size)];
  }),
);
