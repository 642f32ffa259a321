export { describeExport } from './describe.js';
export { openDownload } from './download.js';
export { downloadLinks } from './download-link.js';
export { expireExports, withdraw } from './expire.js';
export { countFailure, type FailureTools } from './failure.js';
export { EXPORTS } from './queue.js';
export { readExport } from './read.js';
export { requestExport } from './request.js';
export { runExport } from './run.js';
