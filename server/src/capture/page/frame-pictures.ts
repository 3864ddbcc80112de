import { z } from 'zod';
import type { SeparateFrame } from '../browser/page-sessions.js';
import { OWN_WORLD, type OpenPage } from './open-page.js';

/** At most this many frames in other processes are printed. */
const MAX_FRAMES = 20;
/**
 * How many pixels a picture has per CSS pixel in each direction, which is sharp enough on paper; fewer if the picture
 * would exceed MAX_PIXELS.
 */
const SCALE = 2;
const MAX_SIDE = 4_000;
/**
 * The maximum number of pixels of a picture: even one that shows noise fits into a message to the browser as base64.
 */
const MAX_PIXELS = 16_000_000;

/**
 * The origin at which the pictures are served to the page. It is another origin, so that the page's scripts can show
 * the pictures but not read them, as with the frames themselves.
 */
const ORIGIN = 'https://frames.signpost.invalid/';

/**
 * A function that makes a picture the background of a frame's element. The picture is printed even if other backgrounds
 * are not.
 */
const SET_PICTURE = `async function (picture) {
  const image = new Image();
  image.src = picture;
  try { await image.decode(); } catch { return; }
  const set = (name, value) => this.style.setProperty(name, value, 'important');
  set('background', 'url("' + picture + '") 0 0 / 100% auto no-repeat content-box');
  set('print-color-adjust', 'exact');
}`;

const quad = z
  .tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()])
  .rest(z.number());

/**
 * The area that a frame's content takes on the page, with each side cut at MAX_SIDE, and the scale at which to take its
 * picture.
 */
async function areaOf(open: OpenPage, backendNodeId: number) {
  const { protocol } = open;
  const [{ model }, { cssVisualViewport }, density] = await Promise.all([
    protocol.send('DOM.getBoxModel', { backendNodeId }),
    protocol.send('Page.getLayoutMetrics'),
    open.evaluate('devicePixelRatio'),
  ]);
  const [left, top, , , right, bottom] = quad.parse(model.content);
  const width = Math.min(right - left, MAX_SIDE);
  const height = Math.min(bottom - top, MAX_SIDE);
  return {
    x: left + cssVisualViewport.pageX,
    y: top + cssVisualViewport.pageY,
    width,
    height,
    scale: Math.min(SCALE, Math.sqrt(MAX_PIXELS / (width * height))) / z.number().positive().parse(density),
  };
}

/** Takes the pictures of frames, and serves them to the page. */
class FramePictures {
  readonly #open: OpenPage;
  readonly #pictures = new Map<string, string>();

  constructor(open: OpenPage) {
    this.#open = open;
  }

  async serve(): Promise<void> {
    await this.#open.requests.answer([{ urlPattern: `${ORIGIN}*` }], ({ request: { url } }) => {
      if (!url.startsWith(ORIGIN)) return undefined;
      const body = this.#pictures.get(url);
      if (body === undefined) return { responseCode: 404 };
      const responseHeaders = [
        { name: 'Content-Type', value: 'image/png' },
        { name: 'Cache-Control', value: 'max-age=600' },
      ];
      return { responseCode: 200, responseHeaders, body };
    });
  }

  async replaceFrame({ frameId, parentFrameId }: SeparateFrame): Promise<void> {
    if (parentFrameId === undefined) return;
    const { protocol } = this.#open;
    const { backendNodeId } = await protocol.send('DOM.getFrameOwner', { frameId });
    const clip = await areaOf(this.#open, backendNodeId);
    if (clip.width <= 0 || clip.height <= 0) return;
    const { data } = await protocol.send('Page.captureScreenshot', { clip, captureBeyondViewport: true });
    const url = `${ORIGIN}${this.#pictures.size + 1}.png`;
    this.#pictures.set(url, data);
    const { executionContextId } = await protocol.send('Page.createIsolatedWorld', {
      frameId: parentFrameId,
      worldName: OWN_WORLD,
    });
    const { object } = await protocol.send('DOM.resolveNode', { backendNodeId, executionContextId });
    if (object.objectId === undefined) return;
    await protocol.send('Runtime.callFunctionOn', {
      objectId: object.objectId,
      functionDeclaration: SET_PICTURE,
      arguments: [{ value: url }],
      awaitPromise: true,
    });
  }
}

/** Puts pictures in place of frames in other processes, up to MAX_FRAMES, because the browser does not print these. */
export async function replaceFramesWithPictures(open: OpenPage): Promise<void> {
  const { sessions, deadline } = open;
  const frames = sessions.frames.slice(0, MAX_FRAMES);
  if (frames.length === 0) return;
  const pictures = new FramePictures(open);
  await deadline.race(pictures.serve());
  for (const frame of frames) {
    // Errors are ignored: a frame inside another of these frames is part of that frame's picture, and a hidden frame
    // has none.
    await deadline.race(pictures.replaceFrame(frame).catch(() => undefined));
  }
}
