import { useSyncExternalStore } from 'react';

/** Width of a drawing on paper, in CSS pixels: that of A4 and Letter without their margins. */
export const PAPER_PX = 680;

let isOnPaper = false;

function subscribe(onChange: () => void): () => void {
  const change = (next: boolean) => () => {
    isOnPaper = next;
    onChange();
  };
  const [begin, end] = [change(true), change(false)];
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
  return () => {
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
  };
}

/** Whether the page is being printed. What depends on it is drawn again before the browser makes the pages. */
export function useIsOnPaper(): boolean {
  return useSyncExternalStore(subscribe, () => isOnPaper);
}
