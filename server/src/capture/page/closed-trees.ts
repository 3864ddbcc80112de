import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import { AnswerTooLong, ProtocolError } from '../browser/protocol/protocol-errors.js';
import { CLOSED_TREES, PAGE_PLATFORM } from '../reading/page-platform.js';
import { IS_SMALL } from './find-element.js';
import { OWN_WORLD, type OpenPage } from './open-page.js';

/** If there are more closed trees, the others are not read. */
const MAX_TREES = 200;

type PageNode = ProtocolMapping.Commands['DOM.describeNode']['returnType']['node'];

/** The backend node ids of the closed shadow trees of a node and of all nodes inside it, frames included. */
function closedTreesIn({ shadowRoots = [], children = [], contentDocument }: PageNode): number[] {
  const inner = [...shadowRoots, ...children, ...(contentDocument === undefined ? [] : [contentDocument])];
  const closedRoots = shadowRoots.filter(({ shadowRootType }) => shadowRootType === 'closed');
  return [...closedRoots.map(({ backendNodeId }) => backendNodeId), ...inner.flatMap(closedTreesIn)];
}

/**
 * An expression for whether a page is small and may have a closed shadow tree, because it has a custom element, or an
 * empty element that takes up space. Only then is the browser asked for all nodes, which takes long.
 */
const MAY_HAVE_CLOSED_TREES = `(() => {
  ${PAGE_PLATFORM}
  const HOSTS = new Set(['article', 'aside', 'blockquote', 'div', 'footer', 'header', 'main', 'nav', 'p', 'section', 'span']);
  const mayBeHost = (element) => {
    const name = localNameOf(element);
    if (name.includes('-')) return true;
    if (!HOSTS.has(name) || firstChildOf(element) !== null || shadowOf(element) !== null) return false;
    const { width, height } = boxOf(element);
    return width > 1 && height > 8;
  };
  try {
    return ${IS_SMALL} && Array.prototype.some.call(allOf(document, '*'), mayBeHost);
  } catch {
    // The page has removed all of its content.
    return false;
  }
})()`;

/**
 * A function that records a closed tree in our isolated world, whose scripts can then enter the tree like an open one.
 */
const rememberTree = `function () {
  (globalThis.${CLOSED_TREES} ??= new WeakMap()).set(this.host, this);
}`;

/**
 * Lets the scripts that read a page enter up to MAX_TREES of its closed shadow trees too, if the page is small. The
 * page's own scripts do not notice.
 */
export async function enterClosedTrees(open: OpenPage): Promise<void> {
  if ((await open.evaluate(MAY_HAVE_CLOSED_TREES)) !== true) return;
  const { protocol, deadline, document } = open;
  try {
    const { executionContextId } = await deadline.race(
      protocol.send('Page.createIsolatedWorld', { frameId: document.frameId, worldName: OWN_WORLD }),
    );
    const { result } = await deadline.race(
      protocol.send('Runtime.evaluate', { expression: 'document', contextId: executionContextId }),
    );
    if (result.objectId === undefined) return;
    // Unlike DOM.getDocument, this does not make the browser report all later changes of the page.
    const { node } = await deadline.race(
      protocol.send('DOM.describeNode', { objectId: result.objectId, depth: -1, pierce: true }),
    );
    for (const backendNodeId of closedTreesIn(node).slice(0, MAX_TREES)) {
      const { object } = await deadline.race(
        protocol.send('DOM.resolveNode', { backendNodeId, executionContextId }),
      );
      if (object.objectId === undefined) continue;
      const { objectId } = object;
      await deadline.race(
        protocol.send('Runtime.callFunctionOn', { objectId, functionDeclaration: rememberTree }),
      );
    }
  } catch (error) {
    // The page is too large or has changed meanwhile. Then the remaining closed trees are not read.
    if (![ProtocolError, AnswerTooLong, RangeError].some((kind) => error instanceof kind)) throw error;
  }
}
