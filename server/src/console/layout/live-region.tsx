import type { ComponentChildren } from 'preact';

interface LiveRegionProps {
  readonly children: ComponentChildren;
  /** The number of seconds between updates. */
  readonly everySeconds?: number;
}

/** A part of a page that a script keeps up to date. */
export const LiveRegion = ({ children, everySeconds = 5 }: LiveRegionProps) => (
  <div id="live" data-live={everySeconds}>
    {children}
  </div>
);
