const COLOURS = String.raw`
  const colours = new Map();
  const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const paintedColour = (text) => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = text;
    pixel.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pixel.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const colourOf = (text) => {
    let colour = colours.get(text);
    if (colour === undefined) {
      const parts = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/u.exec(text);
      colour = parts === null ? paintedColour(text) : [...parts.slice(1, 4).map(Number), Number(parts[4] ?? 1)];
      colours.set(text, colour);
    }
    return colour;
  };
  const mixed = ([red, green, blue, alpha], below) =>
    [red, green, blue].map((part, index) => part * alpha + below[index] * (1 - alpha));
  const MAX_DIFFERENCE = 8;
  const areAlike = (one, other) => one.every((part, index) => Math.abs(part - other[index]) <= MAX_DIFFERENCE);
  const canvasColour = (style) =>
    /dark/u.test(style.colorScheme) && matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];

  /**
   * The plain colour behind an element's content, and the element that paints it; null if it is not a plain colour.
   */
  const paintOf = (element, style, paint) => {
    if (style.mixBlendMode !== 'normal' || style.filter !== 'none') return null;
    const colour = colourOf(style.backgroundColor);
    const hasPicture = style.backgroundImage !== 'none';
    if (hasPicture || colour[3] > 0) painters.push(element);
    if (hasPicture) return null;
    if (colour[3] > 0.99) return { colour, element };
    return paint === null || colour[3] === 0 ? paint : { colour: mixed(colour, paint.colour), element };
  };`;

const BOXES = String.raw`
  const scrollLeftOf = reader(Element, 'scrollLeft');
  const scrollTopOf = reader(Element, 'scrollTop');
  const clips = (style) => style.overflowX !== 'visible' || style.overflowY !== 'visible';
  const AWAY = /^(?:(?:circle|ellipse)\(0(?:px|%)|polygon\(0(?:px|%)? 0(?:px|%)?(?:, 0(?:px|%)? 0(?:px|%)?)*\))/u;
  /** Whether a clip path is an inset whose percentages leave nothing of a box, or hardly anything. */
  const isInsetAway = (clipPath) => {
    const sides = /^inset\(([^)r]*)/u.exec(clipPath)?.[1].trim().split(' ');
    if (sides === undefined) return false;
    const [top, right = top, bottom = top, left = right] = sides.map((side) => (side.endsWith('%') ? Number.parseFloat(side) : 0));
    return top + bottom >= 99 || left + right >= 99;
  };
  const isCutAway = ({ clip, clipPath, position }) => {
    if (clipPath !== 'none' && (AWAY.test(clipPath) || isInsetAway(clipPath))) return true;
    if (clip === 'auto' || (position !== 'absolute' && position !== 'fixed')) return false;
    const [top, right, bottom, left] = (clip.match(/-?[\d.]+/gu) ?? []).map(Number);
    return right - left <= 1 || bottom - top <= 1;
  };
  const isPageRoot = (element) => element === rootOf(documentOf(element)) || element === bodyOf(documentOf(element));
  /**
   * Whether an element is nearly transparent: by its filter, or by its opacity if no animation or script seems to
   * change that later.
   */
  const isFaded = (element, { opacity, filter }) =>
    /opacity\(0(?:\.0\d*)?\)/u.test(filter) ||
    (Number(opacity) < 0.02 &&
      !(options.hadScripts && element.style?.opacity) &&
      Element.prototype.getAnimations.call(element).length === 0);
  const isSeen = (element, style) => {
    if (isFaded(element, style) || isCutAway(style)) return false;
    const isDrawing = localNameOf(element) === 'svg';
    if (!isDrawing && (!clips(style) || style.display === 'inline' || !isHtml(element) || isPageRoot(element))) return true;
    const { width, height } = boxOf(element);
    return width > 1 && height > 1;
  };

  /**
   * How the boxes around a node move it. x and y: how far they are scrolled in total. isCarousel: a transform moves the
   * node inside a visible window that clips it. canScroll: scrolling can bring the node into view. isPlaced: a
   * transform or an absolute position places the node or a box around it.
   */
  const scrolledBy = (node, { isFixedScreen, view, height }) => {
    const by = { x: 0, y: 0, isCarousel: false, canScroll: false, isPlaced: false };
    let [isMoved, isHeldInPlace] = [false, false];
    for (let at = isElement(node) ? node : shownParentOf(node); at !== null && isElement(at) && !isPageRoot(at); at = shownParentOf(at)) {
      const style = getComputedStyle(at);
      if (at !== node && clips(style) && style.display !== 'inline') {
        by.x += scrollLeftOf(at);
        by.y += scrollTopOf(at);
        const box = boxOf(at);
        if (isMoved && box.right > 0 && box.width > 1) by.isCarousel = true;
        if (!isHeldInPlace && /auto|scroll/u.test(style.overflowX + style.overflowY)) by.canScroll = true;
      }
      if (style.transform !== 'none' || style.translate !== 'none') isMoved = true;
      if (isMoved || style.position === 'absolute') by.isPlaced = true;
      if (style.position !== 'fixed') continue;
      isHeldInPlace = true;
      // Scripts move a fixed box that is taller than the window while the page scrolls.
      if (height > view.innerHeight && boxOf(at).height > view.innerHeight) by.canScroll = true;
    }
    if (isMoved && isFixedScreen) by.isCarousel = true;
    return by;
  };
  const isHeld = (overflow) => /hidden|clip/u.test(overflow);
  /**
   * Something that was placed on its own this many pixels or more to the right of the page is out of reach: nobody
   * scrolls the page that far.
   */
  const FAR_AWAY = 5_000;
  /** Whether a box cannot be scrolled into view. */
  const isOutOfReach = (node, box, { page, isFixed }) => {
    const [x, y] = isFixed ? [0, 0] : [page.view.scrollX, page.view.scrollY];
    const beyond = box.left + x - page.width;
    const isRightOfAll = beyond >= 0 && (page.isLocked || isFixed);
    const isBelowAll = isFixed && box.top >= page.view.innerHeight;
    const isLeftOfAll = box.right + x <= 0 && !page.isFromRight;
    if (box.bottom + y > 0 && !isLeftOfAll && !isRightOfAll && !isBelowAll && beyond < FAR_AWAY) return false;
    const by = scrolledBy(node, page);
    if (by.isCarousel) return false;
    if (box.bottom + y + by.y <= 0 || (isLeftOfAll && box.right + x + by.x <= 0)) return true;
    return !by.canScroll && (isRightOfAll || isBelowAll || (beyond >= FAR_AWAY && by.isPlaced));
  };
  /** Whether an element that is not text, such as a field, has a visible box. */
  const isBoxSeen = (element, context) => {
    const box = boxOf(element);
    return box.width > 1 && box.height > 1 && !isOutOfReach(element, box, context);
  };
  const pageOf = (ofDocument) => {
    const [body, root] = [bodyOf(ofDocument), rootOf(ofDocument)];
    const style = getComputedStyle(root);
    const styles = body === null ? [style] : [style, getComputedStyle(body)];
    return {
      view: ofDocument.defaultView,
      width: root.clientWidth,
      height: root.scrollHeight,
      isFromRight: styles.some(({ direction }) => direction === 'rtl'),
      isLocked: styles.some(({ overflowX }) => isHeld(overflowX)),
      // Presentations move their slides into a window that does not scroll.
      isFixedScreen: styles.some(({ overflowX, overflowY }) => isHeld(overflowX) && isHeld(overflowY)),
      paint: { colour: canvasColour(style), element: root },
    };
  };`;

const TEXTS = String.raw`
  const painters = [];
  const suspects = [];
  const range = new Range();
  const MIN_LETTER_PIXELS = 2;

  /** Whether text is visible in spite of its colour: it is filled with a gradient, or has an outline or a shadow. */
  const isDrawnOtherwise = (element, style) => {
    if (style.textShadow !== 'none' || Number.parseFloat(style.webkitTextStrokeWidth) > 0) return true;
    for (let at = element; at !== null && isElement(at); at = shownParentOf(at))
      if (/text/u.test(getComputedStyle(at).webkitBackgroundClip)) return true;
    return false;
  };

  /** Whether an indent moves a text out of the box that clips it, as in links that show a picture in place of words. */
  const isIndentedAway = (element, style, box) => {
    if (style.textIndent === '0px') return false;
    for (let at = element; at !== null && isElement(at); at = shownParentOf(at)) {
      const around = getComputedStyle(at);
      if (!isHeld(around.overflowX) || around.display === 'inline') continue;
      const window = boxOf(at);
      return box.left + 1 >= window.right || box.right - 1 <= window.left;
    }
    return false;
  };
  const isEmpty = ({ width, height }) => width === 0 || height === 0;
  /**
   * The box of a text. Inside a closed "details" element, the first box that the browser returns may be empty, until it
   * was asked for the box of an element.
   */
  const textBoxOf = (node, element) => {
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (!isEmpty(box) || isEmpty(boxOf(element))) return box;
    return range.getBoundingClientRect();
  };
  const isDrawn = (colour, opacity) =>
    colour !== 'none' && Number(opacity) > 0.02 && !/^rgba\(.*, 0\)$/u.test(colour);

  /**
   * Whether a text is visible. A text whose colour is nearly the colour behind it counts as visible here, and is added
   * to the suspects.
   */
  const isReadable = (node, copy, { element, style, paint, isSvg, ...context }) => {
    if (style.visibility !== 'visible') return false;
    if (!isSvg && Number.parseFloat(style.fontSize) < MIN_LETTER_PIXELS) return false;
    const box = textBoxOf(node, element);
    if (isEmpty(box) || isOutOfReach(node, box, context)) return false;
    if (isSvg) return isDrawn(style.fill, style.fillOpacity) || isDrawn(style.stroke, style.strokeOpacity);
    if (isIndentedAway(element, style, box)) return false;
    const colour = colourOf(style.webkitTextFillColor);
    if (colour[3] < 0.05) return isDrawnOtherwise(element, style);
    if (paint !== null && areAlike(mixed(colour, paint.colour), paint.colour))
      suspects.push({ copy, element, style, paint, box });
    return true;
  };

  const paintsUnder = (element) =>
    ['::before', '::after'].some((name) => {
      const { content, backgroundColor, backgroundImage } = getComputedStyle(element, name);
      return content !== 'none' && (backgroundImage !== 'none' || colourOf(backgroundColor)[3] > 0);
    });
  const meets = (one, other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  const isInside = (element, outer) => {
    let at = element;
    while (at !== null && at !== outer) at = shownParentOf(at);
    return at === outer;
  };
  /**
   * Whether a suspected text may be visible after all: it is drawn with an outline, a shadow or a gradient, or
   * something other than the plain colour may be behind it.
   */
  const hasOtherPaint = ({ element, style, paint, box }) => {
    if (isDrawnOtherwise(element, style)) return true;
    const around = new Set();
    for (let at = element; at !== null && isElement(at); at = shownParentOf(at)) {
      around.add(at);
      if (paintsUnder(at) || /inset/u.test(getComputedStyle(at).boxShadow)) return true;
      if (at === paint.element) break;
    }
    return painters.some((painter) => {
      if (around.has(painter) || documentOf(painter) !== documentOf(element)) return false;
      if (!meets(boxOf(painter), box) || !isInside(painter, paint.element)) return false;
      const style = getComputedStyle(painter);
      const colour = colourOf(style.backgroundColor);
      return REPLACED.has(localNameOf(painter)) || style.backgroundImage !== 'none' ||
        !areAlike(mixed(colour, paint.colour), paint.colour);
    });
  };
  const dropUnreadable = () => {
    for (const suspect of suspects) if (!hasOtherPaint(suspect)) suspect.copy.data = '';
  };`;

/**
 * The part of the script that decides what a person sees of a page that was scrolled through: `isSeen` for an
 * element's box, `isReadable` for a text. A text in the colour of its background is only suspected of being
 * invisible at first, because something else may be painted between them; `dropUnreadable` decides at the end.
 */
export const VISIBLE_TEXT = COLOURS + BOXES + TEXTS;
