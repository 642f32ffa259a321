// What real payloads hold besides what matters.

const RUN_MODELS = ['gpt-4o-2024-11-20', 'claude-sonnet-4', 'in-house-7b'];
const TELEMETRY_MODELS = ['claude-sonnet-4-5', 'gpt-4.1-mini', 'mistral-large-2411'];

export const LAST_NAMES = [
  ...['Novak', 'Rossi', 'Lindqvist', 'Okafor'],
  ...['Becker', 'Duarte', 'Yilmaz', 'Moreau'],
];

/** @param {import('../random.js').Random} random */
export function runNoise(random) {
  return {
    env: 'prod',
    region: random.pick(['eu-west-1', 'us-east-1']),
    model: random.pick(RUN_MODELS),
    prompt_version: `v${1 + random.below(9)}`,
    trace_id: hex(random, 32),
    usage: { input_tokens: 400 + random.below(9000), output_tokens: 20 + random.below(900) },
    latency_ms: 200 + random.below(9000),
  };
}

/** @param {import('../random.js').Random} random */
export function sourceNoise(random) {
  return {
    env: 'prod',
    livemode: true,
    api_version: '2025-02-24',
    request: { id: `req_${random.code(12)}`, attempt: 1 + random.below(3) },
    settled: random.chance(0.8),
    ip_country: random.pick(['DE', 'FR', 'US', 'GB']),
  };
}

/** Records an event with what its source says besides. */
export function book({ world, random }, { cause = null, metadata, ...event }) {
  world.event({ ...event, cause, metadata: { ...sourceNoise(random), ...metadata } });
}

/** @param {import('../random.js').Random} random @param {number} length */
export const hex = (random, length) =>
  Array.from({ length }, () => random.below(16).toString(16)).join('');

export const digits = (random, length) =>
  `${1 + random.below(9)}${Array.from({ length: length - 1 }, () => random.below(10)).join('')}`;

/** @param {import('../random.js').Random} random */
export const uuid = (random) => [8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-');

/** Options that the agent weighed, with the given values in the rejected ones. */
export function weighed(random, chosen, others) {
  return [chosen, ...others].map((action, at) => ({
    action,
    score: Math.round(100 * (at === 0 ? 0.6 + 0.4 * random.next() : 0.5 * random.next())) / 100,
    reason: at === 0 ? 'Fits the policy and the request.' : 'Not asked for.',
  }));
}

/** Telemetry of an agent framework. @param {import('../random.js').Random} random */
export function telemetry(random) {
  return {
    otel: { trace_id: hex(random, 32), span_id: hex(random, 16) },
    'gen_ai.request.model': random.pick(TELEMETRY_MODELS),
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
