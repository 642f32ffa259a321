export { classifyEvent } from './rules/classify.js';
export { areOpposite, countedAmount } from './rules/counted.js';
export { type Directed, mayReverse } from './rules/direction.js';
