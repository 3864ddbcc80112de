/**
 * A script that runs in our isolated world just before the first script of a document, and does not run in documents
 * without scripts. So it also notices a script that removes itself.
 */
export const NOTE_SCRIPTS = 'globalThis.hadScripts = true';

/** Elements that can move without a script, by themselves or through their content. */
const MOVERS =
  'iframe, frame, object, embed, video, audio, marquee, animate, animateMotion, animateTransform, set';
/** Elements that may fetch something for which the load event does not wait. */
const FETCHERS = '[loading="lazy" i], [background], link[rel~="stylesheet" i], image, use, feImage';
/** Matches a style that may fetch something. A backslash matches, too, because it may disguise the other words. */
export const FETCHES = /url\(|image-set\(|@import|\\/i;

/** Evaluates to whether a script of the page has run. */
export const HAD_SCRIPTS = '(globalThis.hadScripts === true)';

/**
 * Evaluates to whether only style animations can change a document. If the document has a declarative closed shadow
 * tree, notices only scripts in it, because it cannot look into the tree.
 */
export const CANNOT_CHANGE = `(!${HAD_SCRIPTS} && document.querySelector(${JSON.stringify(MOVERS)}) === null &&
  !document.evaluate("//@*[starts-with(name(), 'on')]", document, null, XPathResult.BOOLEAN_TYPE).booleanValue &&
  [...document.querySelectorAll('*')].every(({ shadowRoot }) => shadowRoot === null))`;

/**
 * Evaluates to whether a document is completely loaded, fetches nothing more, and only style animations can change it.
 * The document must be laid out, because styles may begin to fetch only then. If a style may fetch anything, the result
 * is false.
 */
export const NOTHING_TO_COME = `(document.readyState === 'complete' && document.contentType === 'text/html' &&
  document.querySelector(${JSON.stringify(FETCHERS)}) === null &&
  [...document.images].every(({ complete }) => complete) &&
  [...document.querySelectorAll('style')].every(({ textContent }) => !${FETCHES}.test(textContent)) &&
  ${CANNOT_CHANGE} &&
  [...document.querySelectorAll('*')].every((element) => {
    const { getAttributeNames, getAttribute } = Element.prototype;
    return getAttributeNames.call(element).every((name) => !${FETCHES}.test(getAttribute.call(element, name)));
  }))`;
