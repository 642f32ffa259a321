export { type Counting, countReport, taxSaid } from './rules/count.js';
export { classifyReport, moneyOf, readMetadata } from './rules/kinds.js';
export { comparingOf } from './rules/profiles.js';
export { type Rates, ratesOf } from './rules/rates.js';
export {
  areOpposite,
  type Classified,
  classifyEvent,
  type Directed,
  mayReverse,
  reversalOf,
} from './rules/signs.js';
