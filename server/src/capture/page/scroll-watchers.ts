/**
 * An expression for the smallest share of the window in which a script counts an element as seen; undefined if no
 * script watches. NOTE_SCROLL_WATCHERS sets it.
 */
const sightShare = "window[Symbol.for('signpost.sightShare')]";
export const watchesScrolling = (maxShare: number) => `${sightShare} <= ${maxShare}`;
/** If no timer or animation frame was requested for this page time, scripts seem not to check the scroll position. */
const LOOKS_AGAIN_MS = 1_500;
/**
 * Evaluates to whether scripts seem not to notice that the document scrolls: none listens to scrolling or observes
 * which elements are in the window, and none runs in a timer or animation frame. False for a page with frames or
 * closed shadow trees, because their scripts are unknown.
 */
export const NONE_NOTICES_SCROLLING = `(() => {
  const { intervals, lastMs, hasClosedTrees } = window[Symbol.for('signpost.scripts')];
  return ${sightShare} === undefined && intervals.size === 0 && performance.now() - lastMs > ${LOOKS_AGAIN_MS} &&
    window.length === 0 && !hasClosedTrees &&
    [window, document, document.documentElement].every(
      ({ onscroll, onscrollend, onwheel }) => !onscroll && !onscrollend && !onwheel);
})()`;
/**
 * Evaluates to whether a script may scroll the page itself when the wheel turns, in place of the browser, as smooth
 * scrolling does.
 */
export const MAY_STOP_WHEEL = "window[Symbol.for('signpost.scripts')].mayStopWheel";
/**
 * Evaluates to whether the page has a WebSocket or worker that has not yet sent a message, failed or been closed, and
 * that FORGET_SILENT has not dropped.
 */
export const AWAITS_MESSAGE = "window[Symbol.for('signpost.scripts')].silent.size > 0";
/** Evaluates to true, and from now on the page's present WebSockets and workers are not waited for. */
export const FORGET_SILENT = "(window[Symbol.for('signpost.scripts')].silent.clear(), true)";
/** A script after which observers in the page are no longer told that an element has left the window. */
export const KEEP_IN_SIGHT = "window[Symbol.for('signpost.keepsInSight')] = true";

/**
 * A script after which the page's scripts are no longer told about changes of the window's size, and their media
 * queries keep their results.
 */
export const KEEP_SIZE = "window[Symbol.for('signpost.keepsSize')] = true";

/**
 * A script that runs before the page's own scripts. It records whether they observe which elements are in the window,
 * and in which share of it; frames of the page's own origin record this in the page's window. It also records listeners
 * to scrolling and the wheel, timers, animation frames, closed shadow trees, WebSockets and workers. It can hide from
 * the scripts that elements have left the window, and that the window's size has changed.
 */
export const NOTE_SCROLL_WATCHERS = `(() => {
  const share = Symbol.for('signpost.sightShare');
  const page = () => {
    try {
      top[share];
      return top;
    } catch {
      return window;
    }
  };
  const note = (target, seen) => { target[share] = Math.min(target[share] ?? 1, seen); };
  const marginShare = (margin) => {
    const value = parseFloat(margin) || 0;
    return margin.endsWith('%') ? value / 100 : value / page().innerHeight;
  };
  const seenShare = (options) => {
    const [top, , bottom = top] = String(options?.rootMargin ?? '0px').trim().split(/\\s+/u);
    return 1 + marginShare(top) + marginShare(bottom);
  };
  const keeping = (callback) => typeof callback !== 'function' ? callback : function (entries, observer) {
    const told = page()[Symbol.for('signpost.keepsInSight')] === true
      ? entries.filter(({ isIntersecting }) => isIntersecting)
      : entries;
    if (told.length > 0) callback.call(this, told, observer);
  };
  window.IntersectionObserver = new Proxy(window.IntersectionObserver, {
    construct(target, [callback, options, ...rest], newTarget) {
      const observer = Reflect.construct(target, [keeping(callback), options, ...rest], newTarget);
      note(page(), seenShare(options));
      return observer;
    },
  });
  const keepsSize = () => window[Symbol.for('signpost.keepsSize')] === true;
  const mute = (event) => {
    if (keepsSize()) event.stopImmediatePropagation();
  };
  for (const target of [window, visualViewport]) target.addEventListener('resize', mute);
  const { get: matches } = Object.getOwnPropertyDescriptor(MediaQueryList.prototype, 'matches');
  const match = window.matchMedia;
  window.matchMedia = function matchMedia(...media) {
    const list = match.apply(window, media);
    let last;
    const now = () => (last = keepsSize() ? (last ?? matches.call(list)) : matches.call(list));
    now();
    list.addEventListener('change', (event) => {
      mute(event);
      now();
    });
    Object.defineProperty(list, 'matches', { configurable: true, get: now });
    return list;
  };
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function addEventListener(type, ...rest) {
    if (type === 'scroll' || type === 'scrollend' || type === 'wheel') note(window, 1);
    if (type === 'wheel' && rest[1]?.passive === false) scripts.mayStopWheel = true;
    return add.call(this, type, ...rest);
  };
  const clock = performance;
  const scripts = {
    intervals: new Set(), lastMs: -Infinity, hasClosedTrees: false, mayStopWheel: false, silent: new Set(),
  };
  window[Symbol.for('signpost.scripts')] = scripts;
  const following = (target, name, onCall) => {
    target[name] = new Proxy(target[name], {
      apply(method, self, words) {
        const result = Reflect.apply(method, self, words);
        onCall(result, words[0]);
        return result;
      },
    });
  };
  for (const name of ['setTimeout', 'requestAnimationFrame', 'requestIdleCallback'])
    following(window, name, () => { scripts.lastMs = clock.now(); });
  following(window, 'setInterval', (id) => scripts.intervals.add(id));
  for (const name of ['clearInterval', 'clearTimeout'])
    following(window, name, (_, id) => scripts.intervals.delete(id));
  for (const name of ['WebSocket', 'Worker']) {
    window[name] = new Proxy(window[name], {
      construct(target, words, newTarget) {
        const source = Reflect.construct(target, words, newTarget);
        scripts.silent.add(source);
        for (const type of ['message', 'close', 'error']) add.call(source, type, () => scripts.silent.delete(source));
        return source;
      },
    });
  }
  const { terminate } = Worker.prototype;
  Worker.prototype.terminate = function () {
    scripts.silent.delete(this);
    return terminate.call(this);
  };
  const startTransition = Document.prototype.startViewTransition;
  Document.prototype.startViewTransition = function startViewTransition(...words) {
    const transition = startTransition.apply(this, words);
    // A view transition first waits until the browser has drawn the page, which it does not do while page time passes
    // quickly.
    if (match.call(window, '(prefers-reduced-motion: reduce)').matches) transition.skipTransition();
    return transition;
  };
  following(Element.prototype, 'attachShadow', ({ mode }) => { scripts.hasClosedTrees ||= mode === 'closed'; });
})()`;
