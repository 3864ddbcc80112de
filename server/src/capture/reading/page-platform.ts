/**
 * The name of a variable in our isolated world that holds the closed shadow trees that the browser has reported, by
 * their hosts.
 */
export const CLOSED_TREES = 'signpostClosedTrees';

/**
 * The part of the script with functions that read a page's nodes through the prototypes of our isolated world, because
 * the fields of a form hide properties of the form that have the same name, and the named elements of a document hide
 * those of the document. A node may belong to a frame, so nodes are distinguished by their type and never by
 * `instanceof`.
 */
export const PAGE_PLATFORM = String.raw`
  const reader = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (object) => get.call(object);
  };
  const typeOf = reader(Node, 'nodeType');
  const firstChildOf = reader(Node, 'firstChild');
  const nextSiblingOf = reader(Node, 'nextSibling');
  const parentOf = reader(Node, 'parentNode');
  const documentOf = reader(Node, 'ownerDocument');
  const baseOf = reader(Node, 'baseURI');
  const localNameOf = reader(Element, 'localName');
  const namespaceOf = reader(Element, 'namespaceURI');
  const openShadowOf = reader(Element, 'shadowRoot');
  const shadowOf = (element) => openShadowOf(element) ?? globalThis.${CLOSED_TREES}?.get(element) ?? null;
  const slotOf = reader(Element, 'assignedSlot');
  const bodyOf = reader(Document, 'body');
  const rootOf = reader(Document, 'documentElement');
  const attributeOf = (element, name) => Element.prototype.getAttribute.call(element, name) ?? '';
  const boxOf = (element) => Element.prototype.getBoundingClientRect.call(element);
  const allOf = (node, selector) =>
    (typeOf(node) === Node.DOCUMENT_NODE ? Document : Element).prototype.querySelectorAll.call(node, selector);
  const isElement = (node) => typeOf(node) === Node.ELEMENT_NODE;
  const isText = (node) => typeOf(node) === Node.TEXT_NODE;
  const isHtml = (element) => namespaceOf(element) === 'http://www.w3.org/1999/xhtml';
  const root = bodyOf(document) ?? rootOf(document);

  /**
   * The parent of a node in the layout: of a slotted element its slot, and of a node at the top of a shadow tree the
   * tree's host.
   */
  const shownParentOf = (node) => {
    const slot = isElement(node) ? slotOf(node) : null;
    const parent = slot ?? parentOf(node);
    return parent !== null && typeOf(parent) === Node.DOCUMENT_FRAGMENT_NODE ? parent.host : parent;
  };

  /**
   * Put before the words of each heading, to find the heading's offset in the result. The page cannot contain it,
   * because control characters of the page are removed.
   */
  const MARK = '\u0001';
  /**
   * Control characters, and invisible characters that reverse text, split words or can carry hidden ones, such as a
   * variation selector after another.
   */
  const UNSEEN_CHARACTERS = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]|(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
  const cleaned = (text) => text.replace(UNSEEN_CHARACTERS, '');
  const inOneLine = (text) => cleaned(text).replace(/\s+/gu, ' ').trim();
  const cut = (text, length) => {
    const end = text.codePointAt(length - 1) > 0xffff ? length - 1 : length;
    return text.length > length ? text.slice(0, end) : text;
  };

  /**
   * Completes an address, which may be relative to a base; returns an empty text if the address is invalid, has a
   * scheme that is not allowed, or is too long.
   */
  const webAddress = (address, base, schemes = /^https?:$/u) => {
    if (address === '' || address.length > options.maxUrlCharacters) return '';
    try {
      const { href, protocol } = new URL(address, base);
      return schemes.test(protocol) && href.length <= options.maxUrlCharacters ? cleaned(href) : '';
    } catch {
      return '';
    }
  };`;
