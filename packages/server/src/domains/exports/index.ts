export { downloadLinks } from './download-link.js';
export { expireExports, withdraw } from './expire.js';
export { countFailure } from './failure.js';
export { EXPORTS } from './queue.js';
export { runExport } from './run.js';
