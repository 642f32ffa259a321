// Delays, and what the payloads of several worlds have in common.
import { DAY, HOUR } from './builder.js';
import { hex } from './noise.js';

const MODELS = ['claude-sonnet-4-5', 'gpt-4.1-mini', 'mistral-large-2411'];

export const LAST_NAMES = [
  ...['Novak', 'Rossi', 'Lindqvist', 'Okafor'],
  ...['Becker', 'Duarte', 'Yilmaz', 'Moreau'],
];

/** A log-normal delay in ms. @param {number} hours its median @param {number} sigma of the logarithm */
export const lag = (random, hours, sigma) => random.logNormal(hours, sigma) * HOUR;

/** The midnight before, or at, the time. @param {number} time in ms */
export const midnight = (time) => Math.floor(time / DAY) * DAY;

/** @param {number} time in ms @returns {string} YYYY-MM-DD */
export const dayOf = (time) => new Date(time).toISOString().slice(0, 10);

/** Telemetry of an agent framework. @param {import('../random.js').Random} random */
export function telemetry(random) {
  return {
    otel: { trace_id: hex(random, 32), span_id: hex(random, 16) },
    'gen_ai.request.model': random.pick(MODELS),
    'gen_ai.usage.input_tokens': 300 + random.below(12_000),
    'gen_ai.usage.output_tokens': 15 + random.below(1200),
    deployment: random.pick(['blue', 'green']),
  };
}

/** The envelope of a webhook. @param {import('../random.js').Random} random */
export function envelope(random) {
  return {
    livemode: true,
    notificationId: hex(random, 24),
    delivery: { attempt: 1 + random.below(3), worker: `hook-${random.below(8)}` },
    schema: 'v68',
  };
}
