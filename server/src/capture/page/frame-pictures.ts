import { z } from 'zod';
import type { OpenPage } from './open-page.js';

/** A page with more frames of other sites is printed with only so many of them. */
const MAX_FRAMES = 20;
/** Sharp enough on paper. */
const SCALE = 2;
const MAX_PIXELS = 4_000;

/** Sets the picture as the background of a frame's element, which is printed even if other backgrounds are not. */
const SET_PICTURE = `async function (picture) {
  const image = new Image();
  image.src = picture;
  try { await image.decode(); } catch { return; }
  const set = (name, value) => CSSStyleDeclaration.prototype.setProperty.call(this.style, name, value, 'important');
  set('background', 'url("' + picture + '") 0 0 / 100% auto no-repeat content-box');
  set('print-color-adjust', 'exact');
}`;

const quad = z
  .tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()])
  .rest(z.number());

/** The area of a frame's content on the page. */
async function areaOf({ protocol }: OpenPage, backendNodeId: number) {
  const [{ model }, { cssVisualViewport }] = await Promise.all([
    protocol.send('DOM.getBoxModel', { backendNodeId }),
    protocol.send('Page.getLayoutMetrics'),
  ]);
  const [left, top, , , right, bottom] = quad.parse(model.content);
  return {
    x: left + cssVisualViewport.pageX,
    y: top + cssVisualViewport.pageY,
    width: Math.min(right - left, MAX_PIXELS),
    height: Math.min(bottom - top, MAX_PIXELS),
    scale: SCALE,
  };
}

async function setPicture(open: OpenPage, frameId: string): Promise<void> {
  const { protocol } = open;
  const { backendNodeId } = await protocol.send('DOM.getFrameOwner', { frameId });
  const clip = await areaOf(open, backendNodeId);
  if (clip.width <= 0 || clip.height <= 0) return;
  const { data } = await protocol.send('Page.captureScreenshot', { clip, captureBeyondViewport: true });
  const { object } = await protocol.send('DOM.resolveNode', { backendNodeId });
  if (object.objectId === undefined) return;
  await protocol.send('Runtime.callFunctionOn', {
    objectId: object.objectId,
    functionDeclaration: SET_PICTURE,
    arguments: [{ value: `data:image/png;base64,${data}` }],
    awaitPromise: true,
  });
}

/**
 * The browser prints nothing of a frame in another process. Puts a picture in the place of each, as the page shows it.
 */
export async function pictureFrames(open: OpenPage): Promise<void> {
  const { sessions, deadline } = open;
  for (const { frameId } of sessions.frames.slice(0, MAX_FRAMES)) {
    // A frame inside another of these frames is in the picture of that. A hidden one has no picture.
    await deadline.race(setPicture(open, frameId).catch(() => undefined));
  }
}
