export { recordHooks } from './record-hooks.js';
