export { type ReadAmount, readAmount } from './rules/read-amount.js';
export { fromMinorUnits, toMinorUnits, type Unit, unitOfKey } from './rules/units.js';
