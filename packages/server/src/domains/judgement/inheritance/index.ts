export { inheritCauses } from './inherit.js';
