export { downloadLinks } from './download-link.js';
export { expireExports, withdraw } from './expire.js';
export { EXPORTS } from './queue.js';
