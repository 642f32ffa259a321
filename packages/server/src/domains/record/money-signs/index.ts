export { classifyEvent, areOpposite, countedAmount, type Directed, mayReverse } from './rules/signs.js';
