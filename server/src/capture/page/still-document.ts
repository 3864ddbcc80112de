/**
 * Runs in the world of our own, as the browser has it, when the first script of a document is about to run, and never
 * where none does: whatever that script removes, itself too, it is known of.
 */
export const NOTE_SCRIPTS = 'globalThis.hadScripts = true';

/** What can move by itself, or by what is in it. */
const MOVERS =
  'iframe, frame, object, embed, video, audio, marquee, animate, animateMotion, animateTransform, set';
/** What may fetch something that the load event does not wait for. */
const FETCHERS = '[loading="lazy" i], [background], link[rel~="stylesheet" i], image, use, feImage';
/** Whether a style may fetch something; a backslash may hide it. */
export const FETCHES = /url\(|image-set\(|@import|\\/i;

/** Evaluates to whether a script of the page has run. */
export const HAD_SCRIPTS = '(globalThis.hadScripts === true)';

/**
 * Evaluates to whether nothing in a document can change it but the animations of its styles. In a closed shadow tree that
 * it declares nothing is seen but scripts.
 */
export const CANNOT_CHANGE = `(!${HAD_SCRIPTS} && document.querySelector(${JSON.stringify(MOVERS)}) === null &&
  !document.evaluate("//@*[starts-with(name(), 'on')]", document, null, XPathResult.BOOLEAN_TYPE).booleanValue &&
  [...document.querySelectorAll('*')].every(({ shadowRoot }) => shadowRoot === null))`;

/**
 * Evaluates to whether nothing is to come for a document that is loaded and laid out. What its styles ask for may be
 * asked for only then, so a document whose styles ask for anything has to be waited for.
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
