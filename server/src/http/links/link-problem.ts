import { createHash } from 'node:crypto';
import { ERROR_HEADER, ERRORS, errorJson } from '@signpost/contract';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { ServiceError } from '../../platform/errors.js';

type ProblemFormat = 'page' | 'json' | 'picture';

/**
 * The format in which to report a problem, by the media type that the client accepts. A client that accepts any type,
 * as mail clients do, gets a picture.
 */
const FORMATS: readonly (readonly [RegExp, ProblemFormat])[] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/u, 'page'],
  [/^application\/(?:[\w.-]+\+)?json$/u, 'json'],
  [/^image\/|^\*\/\*$/u, 'picture'],
];

const MAX_ACCEPT_CHARACTERS = 1_000;

/** The format that an Accept header prefers; a picture if it names none of the formats. */
export function preferredFormat(accept: string): ProblemFormat {
  const accepted = accept
    .slice(0, MAX_ACCEPT_CHARACTERS)
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const quality = parameters.find((text) => text.startsWith('q='))?.slice(2);
      return { type, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  for (const { type } of accepted) {
    const format = FORMATS.find(([pattern]) => pattern.test(type))?.[1];
    if (format !== undefined) return format;
  }
  return 'picture';
}

/**
 * These headers let pages of other sites embed the response to a link and read it, even pages that load only resources
 * that allow this.
 */
export const FOR_ALL_SITES = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

const escapeMarkup = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const WIDTH = 480;
const HEIGHT = 120;
const LINE_CHARACTERS = 48;
const LINE_PIXELS = 24;

function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length > 0 && longer.length <= LINE_CHARACTERS) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function pictureMarkup(message: string): string {
  const lines = linesOf(message);
  const top = (HEIGHT - lines.length * LINE_PIXELS) / 2 + 17;
  const texts = lines.map(
    (line, index) =>
      `<text x="${WIDTH / 2}" y="${top + index * LINE_PIXELS}" text-anchor="middle">${escapeMarkup(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="#f2f2f2"/><g font-family="sans-serif" font-size="17" fill="#333333">${texts.join('')}</g></svg>`;
}

/** Drawn pictures by their message. There are few different messages; only the wait of a throttled address varies. */
const pictures = new LRUCache<string, Promise<Buffer>>({ max: 100 });

/** Draws a message as a PNG, because many mail clients show no SVG. */
function pictureOf(message: string): Promise<Buffer> {
  let picture = pictures.get(message);
  if (picture === undefined) {
    picture = import('sharp').then(({ default: sharp }) =>
      sharp(Buffer.from(pictureMarkup(message)))
        .png()
        .toBuffer(),
    );
    picture.catch(() => pictures.delete(message));
    pictures.set(message, picture);
  }
  return picture;
}

const STYLE = 'body{font:1.1rem/1.5 sans-serif;max-width:34rem;margin:20vh auto;padding:0 1rem}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const pageOf = (message: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Link</title><style>${STYLE}</style><p>${escapeMarkup(message)}</p></html>`;

/** Says why a link shows nothing: as a page, as JSON or as a picture. */
export async function sendLinkProblem(
  reply: FastifyReply,
  accept: string,
  error: ServiceError,
): Promise<FastifyReply> {
  const { message, kind, retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) void reply.header('Retry-After', retryAfterSeconds);
  void reply.code(ERRORS[kind].status).headers({ ...FOR_ALL_SITES, [ERROR_HEADER]: kind, Vary: 'Accept' });
  switch (preferredFormat(accept)) {
    case 'json':
      return reply.type('application/json; charset=utf-8').send(errorJson(message));
    case 'page':
      return reply
        .headers({ 'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'` })
        .type('text/html; charset=utf-8')
        .send(pageOf(message));
    case 'picture':
      return reply.type('image/png').send(await pictureOf(message));
  }
}
