import { commandOn, serveFolder, temporaryFolder } from '../support/service.js';

/** In seconds, on an idle machine with two cores. */
const GOALS = { first: 5, later: 3, command: 0.5 };
const ROUNDS = 5;
/** Prints the CPU time of all threads of a process when it ends, in microseconds. */
const PRINT_CPU = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    process.stdout.write('\\ncpu ' + (user + system) + '\\n');
  });`,
)}`;

/** @typedef {{ seconds: number[], cpu: number[] }} Times */

export const start = {
  name: 'start',
  needsPostgres: false,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ smoke }) {
    const measured = measurements();
    for (let round = 0; round < (smoke ? 1 : ROUNDS); round += 1) await measured.round();
    return measured.report();
  },
};

function measurements() {
  /** @type {Map<string, Times & { goal: number }>} */
  const figures = new Map();
  const add = (
    /** @type {string} */ title,
    /** @type {number} */ goal,
    /** @type {{ seconds: number, cpu: number }} */ { seconds, cpu },
  ) => {
    const figure = figures.get(title) ?? { goal, seconds: [], cpu: [] };
    figures.set(title, figure);
    figure.seconds.push(seconds);
    figure.cpu.push(cpu);
  };
  const commands = async (
    /** @type {string} */ where,
    /** @type {number} */ goal,
    /** @type {string} */ folder,
  ) => {
    for (const args of [['verify'], ['key', 'list', '--mode', 'live']]) {
      add(`${args.join(' ')}, ${where}`, goal, await timeCommand(folder, args));
    }
  };
  return {
    async round() {
      const folder = temporaryFolder();
      for (const option of ['--version', '--help']) {
        add(option, GOALS.command, await timeCommand(folder.path, [option]));
      }
      const first = await timeStart(folder.path);
      add('first start after the build, to ready', GOALS.first, first);
      await first.stop();
      const later = await timeStart(folder.path);
      add('later start, to ready', GOALS.later, later);
      await commands('beside a running service', GOALS.command, folder.path);
      await later.stop();
      await commands('on an idle folder', GOALS.later, folder.path);
      folder.remove();
    },
    /** @returns {import('../support/figures.js').PhaseResult} */
    report: () => ({
      ratios: [...figures].map(([title, { goal, seconds }]) => ({
        title: `Seconds: ${title}`,
        values: seconds,
        goal,
        goalIs: /** @type {const} */ ('most'),
      })),
      details: [...figures].map(([title, { cpu }]) => ({
        title: `CPU: ${title}`,
        values: cpu,
        unit: 's',
      })),
      notes: [],
    }),
  };
}

/** @param {string} folder */
async function timeStart(folder) {
  const started = performance.now();
  const server = await serveFolder(folder);
  const answer = await fetch(`${server.url}/readyz`);
  const seconds = (performance.now() - started) / 1000;
  if (!answer.ok) throw new Error(`/readyz answered ${answer.status}`);
  const { cpuSeconds: cpu } = await server.figures();
  return { seconds, cpu, stop: server.stop };
}

/**
 * @param {string} folder
 * @param {readonly string[]} args
 */
async function timeCommand(folder, args) {
  const started = performance.now();
  const printed = await commandOn(folder, args, ['--import', PRINT_CPU]);
  const seconds = (performance.now() - started) / 1000;
  const cpu = /\ncpu (\d+)\n$/.exec(printed)?.[1];
  if (cpu === undefined) throw new Error(`${args.join(' ')} reported no CPU time`);
  return { seconds, cpu: Number(cpu) / 1e6 };
}
