import type { CapturePage } from './options.js';

export const VIEWPORT = { width: 1920, height: 1080 };

/** A page to capture, and the numbers of simultaneous captures to try. */
export interface CaptureCase {
  readonly name: string;
  readonly page: CapturePage;
  readonly kind: 'screenshot' | 'pdf';
  readonly fullPage: boolean;
  readonly atOnce: readonly number[];
  /** Set if one capture takes many seconds, however it is taken. Then there is no warm-up. */
  readonly isSlow?: boolean;
}

const AT_ONCE = [1, 2, 4];

export const CASES: readonly CaptureCase[] = [
  { name: 'small png', page: 'small', kind: 'screenshot', fullPage: false, atOnce: AT_ONCE },
  { name: 'scripts png', page: 'scripts', kind: 'screenshot', fullPage: false, atOnce: AT_ONCE },
  { name: 'heavy png', page: 'heavy', kind: 'screenshot', fullPage: false, atOnce: AT_ONCE },
  { name: 'tall png, full page', page: 'tall', kind: 'screenshot', fullPage: true, atOnce: AT_ONCE },
  { name: 'lazy png, full page', page: 'lazy', kind: 'screenshot', fullPage: true, atOnce: [1, 4] },
  { name: 'small pdf', page: 'small', kind: 'pdf', fullPage: false, atOnce: AT_ONCE },
  { name: 'tall pdf', page: 'tall', kind: 'pdf', fullPage: false, atOnce: AT_ONCE },
  { name: 'dashboard png', page: 'dashboard', kind: 'screenshot', fullPage: false, atOnce: AT_ONCE },
  { name: 'article pdf', page: 'article', kind: 'pdf', fullPage: false, atOnce: AT_ONCE },
  { name: 'agency png, full page', page: 'agency', kind: 'screenshot', fullPage: true, atOnce: AT_ONCE },
  // Chromium takes seconds to print shadows.
  { name: 'heavy pdf', page: 'heavy', kind: 'pdf', fullPage: false, atOnce: [1], isSlow: true },
];
