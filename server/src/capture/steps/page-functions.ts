/**
 * Names the element that covers the middle of `element`, such as "div#banner", in at most 200 characters; empty if none
 * does. Runs in the page, so it cannot use anything else in this file.
 */
export function coveringElement(element: HTMLElement | SVGElement): string {
  const box = element.getBoundingClientRect();
  const root = element.getRootNode();
  const tree = root instanceof ShadowRoot ? root : element.ownerDocument;
  const hit = tree.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  if (hit === null || element.contains(hit) || hit.contains(element)) return '';
  const classes = [...hit.classList].slice(0, 2).map((name) => `.${name}`);
  const name = hit.localName + (hit.id === '' ? classes.join('') : `#${hit.id}`);
  // Concatenates one character at a time, because the page can replace methods of strings such as `slice`, but not
  // `+=`.
  let start = '';
  for (let at = 0; at < 200 && at < name.length; at += 1) start += name[at] ?? '';
  return start;
}
