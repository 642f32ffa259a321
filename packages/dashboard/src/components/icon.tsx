import type { ReactNode } from 'react';

/** Outlines on a grid of 16, drawn with strokes of 1.5. */
const SHAPES = {
  home: <path d="M2.5 7 8 2.5 13.5 7v6.500h-4v-4h-3v4h-4z" />,
  agents: (
    <>
      <rect x="3" y="5.5" width="10" height="8" rx="1.5" />
      <path d="M8 5.500v-3M6 9.500h.01M10 9.500h.01" />
    </>
  ),
  decisions: <path d="M3 3.500h10M3 8h10M3 12.500h6" />,
  review: <path d="M2.5 8.5 6 12l7.5-8" />,
  money: (
    <>
      <rect x="2" y="4" width="12" height="8" rx="1" />
      <circle cx="8" cy="8" r="1.75" />
    </>
  ),
  exposure: <path d="M2.5 13.500v-11M2.5 13.500h11M5 10.500l3-4 2.5 2 3-4.5" />,
  evidence: <path d="M8 2 3 4v4c0 3 2 5 5 6 3-1 5-3 5-6V4zM6 8l1.5 1.500L10.5 6.5" />,
  activity: <path d="M1.5 8H5l2-5 2.5 10L11.5 8h3" />,
  settings: (
    <>
      <path d="M2.5 5h7M12.5 5h1M2.5 11h1M6.5 11h7" />
      <circle cx="11" cy="5" r="1.5" />
      <circle cx="5" cy="11" r="1.5" />
    </>
  ),
  download: <path d="M8 2.500v7.500M4.500 6.500 8 10l3.500-3.500M2.500 13.500h11" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 3 3" />
    </>
  ),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1" />
      <path d="M3.5 10.500h-1v-8h8v1" />
    </>
  ),
  check: <path d="m3 8.5 3.5 3.500L13 4.5" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  warning: <path d="M8 2 1.5 13.500h13zM8 6.500v3.500M8 12h.01" />,
  chevron: <path d="m6 3.5 4.5 4.500L6 12.5" />,
  sun: (
    <>
      <circle cx="8" cy="8" r="2.75" />
      <path d="M8 1.500v1M8 13.500v1M1.5 8h1M13.5 8h1M3.5 3.500l.7.7M11.8 11.800l.7.7M3.5 12.500l.7-.7M11.8 4.200l.7-.7" />
    </>
  ),
  moon: <path d="M13 9.500A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.500z" />,
  system: (
    <>
      <rect x="2" y="3" width="12" height="8" rx="1" />
      <path d="M6 13.500h4" />
    </>
  ),
  person: (
    <>
      <circle cx="8" cy="5.5" r="2.5" />
      <path d="M3 13.500c.5-3 2.5-4 5-4s4.5 1 5 4" />
    </>
  ),
  print: <path d="M4.5 6V2.500h7V6M4.5 11.500h-2V6h11v5.500h-2M4.5 9.500h7v4h-7z" />,
  book: (
    <path d="M8 4.500C6.5 3.500 4.5 3 2.500 3v9.500c2 0 4 .5 5.500 1.500 1.500-1 3.500-1.500 5.500-1.500V3c-2 0-4 .5-5.500 1.500zM8 4.500V14" />
  ),
  lock: (
    <>
      <rect x="3.5" y="7" width="9" height="6.5" rx="1" />
      <path d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2" />
    </>
  ),
} as const satisfies Readonly<Record<string, ReactNode>>;

export type IconName = keyof typeof SHAPES;

/** An icon beside a text that says the same, so readers of the screen do not meet it. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {SHAPES[name]}
    </svg>
  );
}
