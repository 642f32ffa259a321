/** A function that is called at once, and then for each topic at most once in an interval. */
export interface Spaced {
  readonly call: (topic: string) => void;
  /** Drops what is pending, and later calls. */
  readonly stop: () => void;
}

/** @param intervalMs between two calls for one topic; calls in between are made once, at its end */
export function spaced(work: (topic: string) => void, intervalMs: number): Spaced {
  const pauses = new Map<string, { readonly timer: NodeJS.Timeout; isPending: boolean }>();
  let isStopped = false;
  const call = (topic: string): void => {
    if (isStopped) return;
    const pause = pauses.get(topic);
    if (pause !== undefined) {
      pause.isPending = true;
      return;
    }
    const timer = setTimeout(() => {
      const isPending = pauses.get(topic)?.isPending === true;
      pauses.delete(topic);
      if (isPending) call(topic);
    }, intervalMs);
    pauses.set(topic, { timer: timer.unref(), isPending: false });
    work(topic);
  };
  return {
    call,
    stop() {
      isStopped = true;
      for (const { timer } of pauses.values()) clearTimeout(timer);
      pauses.clear();
    },
  };
}
