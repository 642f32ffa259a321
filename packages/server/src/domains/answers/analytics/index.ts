export { closeMonths, closings } from './close-months.js';
export {
  decisionsOfStatement,
  moneyOfStatement,
  readStatement,
  type StatementFigures,
  type StatementOf,
} from './statement.js';
