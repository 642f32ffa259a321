import { sep } from 'node:path';

/** The CRC-32 that yazl computes in JavaScript takes a third of the time of a backup; Node.js has a faster one. */
const NATIVE_CRC = "export { crc32 as unsigned } from 'node:zlib';";

/** What libraries import, and what they get instead. */
const REPLACED = new Map([
  ['buffer-crc32', NATIVE_CRC],
  // No queue has a schedule; what parses schedules is half of all that a command would load.
  ['cron-parser', 'export const CronExpressionParser = undefined;'],
  ['rrule-temporal', 'export const RRuleTemporal = undefined;'],
  // Fastify loads them even for an app that has compilers of its own.
  ['@fastify/ajv-compiler', 'module.exports = () => undefined;'],
  ['@fastify/fast-json-stringify-compiler', 'module.exports = () => undefined;'],
]);

/** node-postgres asks for Cloudflare Workers in a way that makes Node.js 20 load its HTTP client: a tenth of a start. */
const CLOUDFLARE = {
  file: ['node_modules', 'pg', 'lib', 'stream.js'].join(sep),
  question: 'if (isCloudflareRuntime())',
};

/** Leaves out of libraries what the service does not use, and takes from Node.js what it has. */
export function lighterLibraries() {
  return {
    name: 'lighter-libraries',
    resolveId: (name) => (REPLACED.has(name) ? `\0${name}` : null),
    load: (id) => REPLACED.get(id.replace(/^\0/, '')) ?? null,
    transform(code, id) {
      if (!id.endsWith(CLOUDFLARE.file)) return null;
      if (!code.includes(CLOUDFLARE.question))
        throw new Error(`${id} asks no ${CLOUDFLARE.question}`);
      return { code: code.replace(CLOUDFLARE.question, 'if (false)'), map: null };
    },
  };
}
