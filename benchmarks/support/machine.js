import { readFileSync } from 'node:fs';
import { cpus, freemem, loadavg, release, totalmem, type } from 'node:os';
import process from 'node:process';

const GIB = 1024 ** 3;

/** @param {string | null} postgres version */
export function describeMachine(postgres) {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memory: `${(totalmem() / GIB).toFixed(0)} GiB, ${(freemem() / GIB).toFixed(0)} GiB free`,
    system: `${distribution()}, ${type()} ${kernel()}`,
    node: process.version,
    postgres: postgres ?? 'none',
    load: loadavg()[0].toFixed(1),
    date: new Date().toISOString().slice(0, 10),
  };
}

/** Major and minor version of the kernel; the rest names a build. */
function kernel() {
  return release().split('.', 2).join('.');
}

function distribution() {
  try {
    const text = readFileSync('/etc/os-release', 'utf8');
    return /^PRETTY_NAME="?([^"\n]*)/m.exec(text)?.[1] ?? process.platform;
  } catch {
    return process.platform;
  }
}
