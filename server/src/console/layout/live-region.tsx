import type { ComponentChildren } from 'preact';

/** A part of a page that a script keeps up to date; without scripts it is as it was when the page was loaded. */
export const LiveRegion = ({ children }: { readonly children: ComponentChildren }) => (
  <div id="live" data-live>
    {children}
  </div>
);
