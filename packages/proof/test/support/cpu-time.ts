import process from 'node:process';

/** The CPU time of some work in ms, which does not grow while other programs use the machine, as its time does. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
