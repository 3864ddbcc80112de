import type { ComponentChildren } from 'preact';

interface LiveRegionProps {
  readonly children: ComponentChildren;
  /** How often it is looked for news. */
  readonly everySeconds?: number;
}

/** A part of a page that a script keeps up to date; without scripts it is as it was when the page was loaded. */
export const LiveRegion = ({ children, everySeconds = 5 }: LiveRegionProps) => (
  <div id="live" data-live={everySeconds}>
    {children}
  </div>
);
