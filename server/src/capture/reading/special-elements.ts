/**
 * The attribute that connects a frame of another origin with its copy: its value is the name of the copy in
 * `options.frames`.
 */
export const FRAME_MARK = 'data-signpost-frame';

/**
 * The part of the script that copies elements whose words or pictures are not text nodes: images, fields, formulas,
 * code and frames.
 */
export const SPECIAL_ELEMENTS = String.raw`
  const bestOf = (srcset) => {
    const candidates = [...srcset.matchAll(/\s*,*\s*(\S*[^\s,])(?:\s+([\d.]+)[wxh])?[^,]*/gu)];
    return candidates.toSorted((one, other) => Number(other[2] ?? 1) - Number(one[2] ?? 1))[0]?.[1] ?? '';
  };
  const addImage = (image, target, { style }) => {
    const { width, height } = boxOf(image);
    if (width <= 2 || height <= 2 || style.visibility !== 'visible') return;
    const alt = inOneLine(attributeOf(image, 'alt'));
    if (alt === '' && (width < 64 || height < 64)) return;
    const addresses = [image.currentSrc, ...['src', 'srcset', 'data-src', 'data-srcset'].map((name) => {
      const value = attributeOf(image, name).slice(0, 20_000);
      return name.endsWith('set') ? bestOf(value) : value;
    })];
    const src = addresses.map((address) => webAddress(address ?? '', baseOf(image))).find((address) => address !== '') ?? '';
    if (src === '' && alt === '') return;
    const copy = make('img');
    copy.setAttribute('alt', alt);
    if (src !== '') copy.setAttribute('src', src);
    target.append(copy);
    breakLine();
  };
  const WITHOUT_WORDS = new Set(['hidden', 'checkbox', 'radio', 'range', 'color', 'file']);
  const addField = (field, target, { style }) => {
    if (style.visibility !== 'visible' || Number.parseFloat(style.fontSize) < MIN_LETTER_PIXELS) return;
    const name = localNameOf(field);
    if (name === 'select') {
      const isList = field.multiple || field.size > 1;
      const shown = [...allOf(field, isList ? 'optgroup, option' : 'option')].filter((option) => isList || option.selected);
      for (const option of shown) say(target, option.label);
      return;
    }
    if (name === 'textarea') {
      target.append(make('br'));
      addLines(target, cut(cleaned(valueOf(field, style) || field.placeholder), 100_000));
      target.append(make('br'));
      breakLine();
      return;
    }
    if (field.type === 'checkbox' && target.nodeName === 'LI' && !target.hasChildNodes())
      target.setAttribute('data-checked', field.checked ? 'x' : ' ');
    if (WITHOUT_WORDS.has(field.type)) return;
    if (field.type === 'image') return say(target, field.alt);
    const unnamed = { submit: 'Submit', reset: 'Reset' }[field.type] ?? '';
    say(target, valueOf(field, style) || (field.value === '' ? field.placeholder || unnamed : ''));
  };
  /** The value of a field; empty for a password, or if the text of the field is transparent. */
  const valueOf = (field, style) =>
    field.type === 'password' || colourOf(style.webkitTextFillColor)[3] < 0.05 ? '' : field.value;
  const BETWEEN = { msup: ['^'], mover: ['^'], msub: ['_'], munder: ['_'], mfrac: ['/'], msubsup: ['_', '^'], munderover: ['_', '^'] };
  /** A formula of MathML in one line, such as "x^2/(y+1)". */
  const inOneFormula = (node) => {
    if (isText(node)) return inOneLine(node.data);
    const name = isElement(node) ? localNameOf(node) : '';
    if (name === '' || name.startsWith('annotation')) return '';
    const { display, visibility } = getComputedStyle(node);
    if (display === 'none' || visibility !== 'visible') return '';
    const parts = [];
    for (let child = firstChildOf(node); child !== null; child = nextSiblingOf(child)) parts.push(inOneFormula(child));
    const signs = BETWEEN[name];
    if (signs !== undefined) {
      const grouped = parts.filter((part) => part !== '').map((part) => (/^[\p{L}\p{N}.]+$/u.test(part) ? part : '(' + part + ')'));
      return grouped.reduce((line, part, index) => line + (signs[index - 1] ?? '') + part, '');
    }
    if (name === 'msqrt') return '√(' + parts.join('') + ')';
    // A name of several letters, such as "sin", needs a space before a letter or digit.
    return parts.reduce((line, part) => line + (/[\p{L}\p{N}]{2}$/u.test(line) && /^[\p{L}\p{N}]/u.test(part) ? ' ' : '') + part, '');
  };
  /**
   * A formula as its TeX source between "$" signs or, if it has none, as one line made from its MathML; empty if the
   * element is no formula.
   */
  const formulaOf = (element, name) => {
    const isWhole = name !== 'span' || /(?:^|\s)katex(?:\s|$)/u.test(attributeOf(element, 'class'));
    const source = isWhole ? allOf(element, 'annotation[encoding="application/x-tex"]')[0]?.textContent : undefined;
    if (source !== undefined) return '$' + inOneLine(source) + '$';
    // MathJax draws a formula, and puts the same formula as MathML beside it for screen readers.
    const math = name === 'mjx-container' ? allOf(element, 'mjx-assistive-mml math')[0] : element;
    return name === 'span' || math === undefined ? '' : inOneFormula(math);
  };
  /** Adds the text of a drawing that an SVG "use" element shows again. */
  const addUsed = (use, target, context) => {
    const address = attributeOf(use, 'href') || attributeOf(use, 'xlink:href');
    const used = address.startsWith('#') ? Document.prototype.getElementById.call(documentOf(use), address.slice(1)) : null;
    if (used === null || !isBoxSeen(use, context)) return;
    for (const text of localNameOf(used) === 'text' ? [used] : allOf(used, 'text')) say(target, text.textContent);
  };
  const languageOf = (element) => {
    const near = [element, ...allOf(element, 'code'), parentOf(element), parentOf(element) && shownParentOf(parentOf(element))];
    for (const each of near) {
      if (each === null || !isElement(each)) continue;
      const named = attributeOf(each, 'data-lang') || attributeOf(each, 'data-language') || attributeOf(each, 'data-code-language');
      const found = named || /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-|brush:\s*)([\w+#.-]+)/u.exec(attributeOf(each, 'class'))?.[1];
      if (/^[\w+#.-]+$/u.test(found ?? '')) return found;
    }
    return '';
  };
  const addCode = (element, target, context) => {
    const pre = make('pre');
    const code = make('code');
    const language = languageOf(element);
    if (language !== '') code.setAttribute('class', 'language-' + language);
    addChildren(element, code, { ...context, isCode: true });
    if (code.textContent.trim() !== '') target.append(pre);
    pre.append(code);
    breakLine();
  };
  const isShownIn = (window, element) => {
    try {
      return window.frameElement === element;
    } catch {
      // The window has another origin.
      return false;
    }
  };
  /**
   * The document in an "embed" element, which has no property for it; null if there is none, or if the element is no
   * "embed".
   */
  const embeddedIn = (element) => {
    const { defaultView } = documentOf(element);
    const windows = localNameOf(element) === 'embed' ? Array.from({ length: defaultView.length }, (_, index) => defaultView[index]) : [];
    return windows.find((each) => isShownIn(each, element))?.document ?? null;
  };
  const addFrame = (frame, target, context) => {
    const { width, height } = boxOf(frame);
    if (width <= 1 || height <= 1 || context.style.visibility !== 'visible' || context.frames > 10) return;
    let inner = null;
    try {
      inner = frame.contentDocument ?? frame.getSVGDocument?.() ?? embeddedIn(frame);
    } catch {
      // A frame in another process has no document here.
    }
    const copied = options.frames[attributeOf(frame, '${FRAME_MARK}')];
    if (inner === null && copied === undefined) {
      if (localNameOf(frame) === 'object') addChildren(frame, target, context);
      return;
    }
    const box = inner === null ? fromList(copied) : make('div');
    target.append(box);
    breakLine();
    if (inner === null) return;
    addPage(inner, box, context.frames + 1);
    breakLine();
  };`;
