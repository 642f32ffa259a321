export { AlertRefusedError, deliverAlert } from './deliver.js';
export { type AlertState, observe, WELL } from './rules/alert-state.js';
