/** The back-test and the model's figures belong to the liability; routes reach them here. */
export { readBacktest, readLiabilityModel } from '../../judgement/liability/index.js';
