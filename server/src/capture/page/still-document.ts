/**
 * Runs in our isolated world when the first script of a document is about to run, and never if there is none.
 * It therefore notices even a script that removes itself.
 */
export const NOTE_SCRIPTS = 'globalThis.hadScripts = true';

/** Elements that can move by themselves or through their content. */
const MOVERS =
  'iframe, frame, object, embed, video, audio, marquee, animate, animateMotion, animateTransform, set';
/** Elements that may fetch something that the load event does not wait for. */
const FETCHERS = '[loading="lazy" i], [background], link[rel~="stylesheet" i], image, use, feImage';
/** Whether a style may fetch something. A backslash may hide that. */
export const FETCHES = /url\(|image-set\(|@import|\\/i;

/** Evaluates to whether a script of the page has run. */
export const HAD_SCRIPTS = '(globalThis.hadScripts === true)';

/**
 * Evaluates to whether nothing but style animations can change a document. Cannot see into declarative closed
 * shadow trees; only scripts in them are noticed.
 */
export const CANNOT_CHANGE = `(!${HAD_SCRIPTS} && document.querySelector(${JSON.stringify(MOVERS)}) === null &&
  !document.evaluate("//@*[starts-with(name(), 'on')]", document, null, XPathResult.BOOLEAN_TYPE).booleanValue &&
  [...document.querySelectorAll('*')].every(({ shadowRoot }) => shadowRoot === null))`;

/**
 * Evaluates to whether a loaded and laid-out document is complete. Styles may only then start to fetch, so a
 * document whose styles fetch anything must be waited for.
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
