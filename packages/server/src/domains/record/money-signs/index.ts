export {
  areOpposite,
  classifyEvent,
  countedAmount,
  type Directed,
  mayReverse,
} from './rules/signs.js';
