/** Declared where it is sent: a change of the settings. */
export { MONEY_SIGNS } from '../../access/settings/index.js';
