export { closeMonths, requestDueClosings } from './close-months.js';
export { CLOSING } from './queue.js';
export {
  decisionsOfStatement,
  moneyOfStatement,
  readStatement,
  type StatementFigures,
  type StatementOf,
} from './statement.js';
