import type { ComponentChildren } from 'preact';

interface LiveRegionProps {
  readonly children: ComponentChildren;
  readonly everySeconds?: number;
}

/** A part of a page that a script keeps up to date. A page has only one. */
export const LiveRegion = ({ children, everySeconds = 5 }: LiveRegionProps) => (
  <div id="live" data-live={everySeconds}>
    {children}
  </div>
);
