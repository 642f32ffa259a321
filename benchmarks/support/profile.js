import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LINES = 40;

/** @typedef {{ functionName: string, url: string, lineNumber: number }} CallFrame */

/**
 * Summarises the CPU profiles in a folder: functions and files by self time.
 * @param {string} folder
 */
export function summariseProfiles(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'));
  return files.map((file) => summarise(join(folder, file))).join('\n');
}

/** @param {string} path */
function summarise(path) {
  const profile = JSON.parse(readFileSync(path, 'utf8'));
  return [
    path,
    ...lines(selfTimes(profile, functionOf)),
    '',
    ...lines(selfTimes(profile, moduleOf)),
    '',
  ].join('\n');
}

/**
 * @param {{ nodes: any[], samples: number[], timeDeltas: number[] }} profile
 * @param {(frame: CallFrame) => string} name
 */
function selfTimes({ nodes, samples, timeDeltas }, name) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, name(callFrame)]));
  /** @type {Map<string, number>} */
  const times = new Map();
  samples.forEach((id, index) => {
    const own = String(names.get(id));
    times.set(own, (times.get(own) ?? 0) + timeDeltas[index]);
  });
  return times;
}

/** @param {CallFrame} frame */
function functionOf(frame) {
  const file = fileOf(frame);
  const place = file === '' ? '' : `  ${file}:${frame.lineNumber + 1}`;
  return `${frame.functionName || '(anonymous)'}${place}`;
}

/** @param {CallFrame} frame */
function moduleOf(frame) {
  const file = fileOf(frame);
  if (file === '') return frame.functionName;
  if (file.startsWith('node:') || file.startsWith('packages/')) return file;
  return file.split('/', file.startsWith('@') ? 2 : 1).join('/');
}

/** @param {CallFrame} frame */
function fileOf({ url }) {
  return url.replace(/^.*\/node_modules\//, '').replace(/^file:.*\/(?=packages\/)/, '');
}

/** @param {Map<string, number>} times */
function lines(times) {
  const busy = [...times]
    .filter(([name]) => name !== '(idle)' && name !== '(root)')
    .sort(([, a], [, b]) => b - a);
  const total = busy.reduce((sum, [, time]) => sum + time, 0);
  const idle = times.get('(idle)') ?? 0;
  return [
    `busy ${(total / 1e6).toFixed(1)} s, idle ${(idle / 1e6).toFixed(1)} s`,
    ...busy
      .slice(0, LINES)
      .map(([name, time]) => `${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}`),
  ];
}
