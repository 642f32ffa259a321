export { correlationAsker, requestCorrelation, sweepUncorrelated } from './correlate.js';
export { CORRELATION } from './queue.js';
