// Preloaded into a service: counts the collections of garbage on its main thread, which its metrics show only in buckets.
import { PerformanceObserver } from 'node:perf_hooks';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

/** @typedef {{ memory: number, collections: number, pauses: number, longest: number }} Meter bytes; ms since the last answer */

if (isMainThread && process.send !== undefined) serve();

function serve() {
  let [collections, pauses, longest] = [0, 0, 0];
  const count = (/** @type {readonly { duration: number }[]} */ entries) => {
    for (const { duration } of entries) {
      collections += 1;
      pauses += duration;
      longest = Math.max(longest, duration);
    }
  };
  const observer = new PerformanceObserver((list) => count(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  process.on('message', () => {
    count(observer.takeRecords());
    process.send?.({ memory: process.memoryUsage.rss(), collections, pauses, longest });
    [collections, pauses, longest] = [0, 0, 0];
  });
  process.channel?.unref();
}
