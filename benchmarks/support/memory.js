/**
 * @param {string} url of a process of the service
 * @returns {Promise<number>} its current memory, in MiB
 */
export async function memoryOf(url) {
  const text = await (await fetch(new URL('/metrics', url))).text();
  const bytes = /^process_resident_memory_bytes (\S+)/m.exec(text)?.[1];
  return Number(bytes) / 2 ** 20;
}
