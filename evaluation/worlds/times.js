import { DAY, HOUR } from './builder.js';

/** A log-normal delay in ms. @param {number} hours its median @param {number} sigma of the logarithm */
export const lag = (random, hours, sigma) => random.logNormal(hours, sigma) * HOUR;

/** The midnight before, or at, the time. @param {number} time in ms */
export const midnight = (time) => Math.floor(time / DAY) * DAY;

/** @param {number} time in ms @returns {string} YYYY-MM-DD */
export const dayOf = (time) => new Date(time).toISOString().slice(0, 10);
