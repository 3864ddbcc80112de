import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import { z } from 'zod';
import { AnswerTooLong, ProtocolError } from '../browser/protocol/protocol-errors.js';
import { COPY_SCRIPT } from '../reading/reading-scripts.js';
import { FRAME_MARK } from '../reading/special-elements.js';
import { OWN_WORLD, type OpenPage } from './open-page.js';

/** Further frames of other origins are not read. */
const MAX_FRAMES = 20;

type FrameTree = ProtocolMapping.Commands['Page.getFrameTree']['returnType']['frameTree'];

/** Copies of frames that the document around them may not enter, by the mark of their element. */
export type FrameCopies = Record<string, unknown>;

/** Marks the element of a frame, and returns whether it is seen. */
const markFrame = `function (name) {
  Element.prototype.setAttribute.call(this, '${FRAME_MARK}', name);
  const { width, height } = Element.prototype.getBoundingClientRect.call(this);
  return width > 1 && height > 1;
}`;

const isSeen = z.boolean();

/** Copies the frames of other origins, which are in the page's own process, one after another. */
class FrameCopier {
  readonly #worlds = new Map<string, number>();
  #count = 0;

  constructor(
    private readonly open: OpenPage,
    private readonly options: object,
  ) {}

  /** The copies of the frames inside a document, and inside those that it may enter. */
  async within({ frame, childFrames = [] }: FrameTree): Promise<FrameCopies> {
    const copies: FrameCopies = {};
    for (const child of childFrames) {
      const { securityOrigin } = child.frame;
      const mayEnter =
        securityOrigin === frame.securityOrigin && securityOrigin.includes('://') && securityOrigin !== '://';
      if (mayEnter) Object.assign(copies, await this.within(child));
      else if (this.#count < MAX_FRAMES) Object.assign(copies, await this.#copy(child, frame.id));
    }
    return copies;
  }

  async #copy(tree: FrameTree, parentId: string): Promise<FrameCopies> {
    this.#count += 1;
    const mark = String(this.#count);
    const { protocol, deadline } = this.open;
    try {
      const { backendNodeId } = await deadline.race(
        protocol.send('DOM.getFrameOwner', { frameId: tree.frame.id }),
      );
      const executionContextId = await this.#world(parentId);
      const { object } = await deadline.race(
        protocol.send('DOM.resolveNode', { backendNodeId, executionContextId }),
      );
      const marked = await deadline.race(
        protocol.send('Runtime.callFunctionOn', {
          functionDeclaration: markFrame,
          ...(object.objectId === undefined ? {} : { objectId: object.objectId }),
          arguments: [{ value: mark }],
          returnByValue: true,
        }),
      );
      if (!isSeen.parse(marked.result.value)) return {};
      const options = JSON.stringify({ ...this.options, frames: await this.within(tree) });
      const { result } = await deadline.race(
        protocol.send('Runtime.evaluate', {
          expression: `(${COPY_SCRIPT})(${options})`,
          contextId: await this.#world(tree.frame.id),
          returnByValue: true,
        }),
      );
      const copy: unknown = result.value;
      return { [mark]: copy };
    } catch (error) {
      // A frame that is gone, or too large, is left out.
      if (error instanceof ProtocolError || error instanceof AnswerTooLong) return {};
      throw error;
    }
  }

  async #world(frameId: string): Promise<number> {
    const known = this.#worlds.get(frameId);
    if (known !== undefined) return known;
    const { protocol, deadline } = this.open;
    const world = await deadline.race(
      protocol.send('Page.createIsolatedWorld', { frameId, worldName: OWN_WORLD }),
    );
    this.#worlds.set(frameId, world.executionContextId);
    return world.executionContextId;
  }
}

/** The copies of all frames of a page that its own document may not enter. */
export async function frameCopies(open: OpenPage, options: object): Promise<FrameCopies> {
  const { frameTree } = await open.deadline.race(open.protocol.send('Page.getFrameTree'));
  if (frameTree.childFrames === undefined) return {};
  return new FrameCopier(open, options).within(frameTree);
}
