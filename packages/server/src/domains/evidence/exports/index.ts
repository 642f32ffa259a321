export { describeExport, readExport } from './describe.js';
export { downloadLinks, openDownload } from './download.js';
export { expireExports, withdrawExports } from './expire.js';
export type { VerifyChain } from './export-run.js';
export { countFailure, type FailureTools } from './failure.js';
export { EXPORT_QUEUES, requestExport } from './request.js';
export { runExport } from './run.js';
