import { decodeWindows1252, WINDOWS_1252 } from '../../platform/windows-1252.js';

/** A file to which an address leads, as it was received. */
export interface WebFile {
  /** The address after all redirects. */
  readonly url: string;
  readonly status: number;
  readonly body: Buffer;
  /** The value of `Content-Type`; empty if the server sent none. */
  readonly contentType: string;
  /** The value of `Content-Disposition`; empty if the server sent none. */
  readonly disposition: string;
}

/**
 * How a file is handled: the browser shows pages, pictures and texts; the server reads PDFs and tables; other files
 * are rejected.
 */
export type FileKind =
  | { readonly kind: 'shown'; readonly mediaType: string; readonly isText: boolean }
  | { readonly kind: 'pdf' }
  | { readonly kind: 'table' }
  | { readonly kind: 'other'; readonly name: string };

const text = (mediaType: string): FileKind => ({ kind: 'shown', mediaType, isText: true });
const picture = (mediaType: string): FileKind => ({ kind: 'shown', mediaType, isText: false });
const other = (name: string): FileKind => ({ kind: 'other', name });

const MAGIC_BYTES = 1_024;
const UNSHOWN_IMAGE = 'an image that the browser cannot show';

/**
 * Patterns for the first bytes of files, each with the kind of such a file. They match Latin-1 text in which control
 * characters below 0x20 are replaced by their pictures, such as ␀.
 */
const BEGINNINGS: readonly (readonly [RegExp, FileKind])[] = [
  [/^[^]{0,1018}%PDF-/u, { kind: 'pdf' }],
  [/^\x89PNG␍␊/u, picture('image/png')],
  [/^\xFF\xD8\xFF/u, picture('image/jpeg')],
  [/^GIF8[79]a/u, picture('image/gif')],
  [/^RIFF[^]{4}WEBP/u, picture('image/webp')],
  [/^[^]{4}ftyp(?:avif|avis)/u, picture('image/avif')],
  [/^[^]{4}ftyp(?:hei|hev|mif1|msf1)/u, other(UNSHOWN_IMAGE)],
  [/^BM[^]{4}␀␀␀␀/u, picture('image/bmp')],
  [/^␀␀␁␀[^]{2}/u, picture('image/x-icon')],
  [/^[^]{4}ftyp|^␚\x45\xDF\xA3|^RIFF[^]{4}AVI /u, other('a video')],
  [/^ID3|^\xFF[\xFB\xF3\xF2]|^OggS|^fLaC|^RIFF[^]{4}WAVE/u, other('a sound')],
  [/^PK(?:␃␄|␅␆)/u, other('a ZIP archive')],
  [/^␟\x8B|^7z\xBC\xAF|^Rar!|^BZh|^\xFD7zXZ|^\x28\xB5\x2F\xFD/u, other('an archive')],
  [/^\xD0\xCF␑\xE0/u, other('a Microsoft Office document')],
  [/^MZ|^\x7FELF|^\xCA\xFE\xBA\xBE|^\xCF\xFA\xED\xFE/u, other('a program')],
  [/^wOF[F2]|^OTTO|^␀␁␀␀␀/u, other('a font')],
  [/^\{\\rtf/u, other('an RTF document')],
];

const PICTURES = 0x24_00;

/**
 * Replaces control characters below 0x20 by their pictures, because regular expressions should not contain control
 * characters.
 */
const withControlPictures = (text: string) =>
  text.replace(/\p{Cc}/gu, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(PICTURES + code) : character;
  });

/** Patterns of media types that cannot be captured, and names for these types. More precise patterns come first. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/wordprocessingml|msword/u, 'a Word document'],
  [/spreadsheetml|ms-excel/u, 'an Excel workbook'],
  [/presentationml|ms-powerpoint/u, 'a PowerPoint presentation'],
  [/opendocument/u, 'an OpenDocument file'],
  [/epub/u, 'an e-book'],
  [/^video\//u, 'a video'],
  [/^audio\//u, 'a sound'],
  [/^font\//u, 'a font'],
  [/^image\//u, UNSHOWN_IMAGE],
  [/zip|x-tar|compressed|x-rar|gzip/u, 'an archive'],
];

const TABLE_TYPE = /^(?:text|application)\/(?:x-)?(?:csv|tsv|comma-separated-values|tab-separated-values)$/u;
const TABLE_NAME = /\.(?:csv|tsv)$/iu;
const PAGE_TYPE =
  /^(?:text\/html|application\/xhtml\+xml|(?:text|application)\/xml|[\w.+-]+\/[\w.-]+\+xml)$/u;
/** Servers sometimes send PDFs with the type of a page. No page begins like this. */
const PDF_AS_PAGE = /^(?:\xEF\xBB\xBF)?\s*%PDF-\d/u;
const TEXT_TYPE =
  /^(?:text\/.+|application\/(?:[\w.-]+\+)?(?:json|x-ndjson|jsonl|yaml|x-yaml|toml|javascript|sql))$/u;
/** Media types that say nothing about the file. */
const NO_TYPE =
  /^$|^application\/(?:octet-stream|force-download|x-download|download|binary|unknown)$|^binary\//u;
const TEXT_NAME = /\.(?:txt|text|md|json|jsonl|ndjson|log|yaml|yml|toml|ini)$/iu;
const SVG_BEGINNING =
  /^(?:\xEF\xBB\xBF)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*|<!DOCTYPE svg[^>]*>\s*)*<svg[\s>]/iu;
const TYPE_WORDS = /^[\w.+-]{1,40}\/[\w.+-]{1,60}$/u;

/** What may end with a file extension: the file name in the header and the path of the address. */
function namesOf({ url, disposition }: WebFile): readonly string[] {
  const [, nameInHeader = ''] = /filename\*?\s*=\s*(?:[\w-]*'[\w-]*')?"?([^";]*)/iu.exec(disposition) ?? [];
  return [nameInHeader.trim(), new URL(url).pathname];
}

export const mediaTypeOf = ({ contentType }: WebFile): string =>
  (contentType.split(/[;,]/u)[0] ?? '').trim().toLowerCase();

/** Whether the bytes can be text: they begin with a byte order mark of UTF-16, or their beginning has no zero byte. */
const mayBeText = (body: Buffer) =>
  /^(?:\xFF\xFE|\xFE\xFF)/u.test(body.toString('latin1', 0, 2)) || !body.subarray(0, MAGIC_BYTES).includes(0);

/** Whether browsers would save the file instead of showing it, as for every stated disposition but `inline`. */
export const isDownload = ({ disposition }: WebFile): boolean =>
  !/^\s*(?:$|inline\s*(?:;|$))/iu.test(disposition);

/**
 * Recognises pages and SVG images by their media type, and other files by their first bytes, then by their media type
 * and name. A PDF that is sent as a page, and an SVG image whose media type says nothing, are recognised by their first
 * bytes.
 */
export function recogniseFile(file: WebFile): FileKind {
  const { body } = file;
  if (body.length === 0) return other('an empty file');
  const type = mediaTypeOf(file);
  if (PAGE_TYPE.test(type) && PDF_AS_PAGE.test(body.toString('latin1', 0, 16))) return { kind: 'pdf' };
  if (type === 'image/svg+xml') return picture(type);
  if (PAGE_TYPE.test(type))
    return isDownload(file) ? other('a page that is sent to be saved') : picture(type);
  const start = body.toString('latin1', 0, MAGIC_BYTES);
  if (NO_TYPE.test(type) && SVG_BEGINNING.test(start)) return picture('image/svg+xml');
  const beginning = withControlPictures(start);
  const found = BEGINNINGS.find(([pattern]) => pattern.test(beginning))?.[1];
  const name = NAMES.find(([pattern]) => pattern.test(type))?.[1];
  if (found?.kind === 'other' && /archive|Office/u.test(found.name) && name !== undefined) return other(name);
  if (found !== undefined) return found;
  const names = namesOf(file);
  const hasName = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (mayBeText(body)) {
    const mayBeTable = NO_TYPE.test(type) || /^text\/plain$|ms-excel/u.test(type);
    if (TABLE_TYPE.test(type) || (mayBeTable && hasName(TABLE_NAME))) return { kind: 'table' };
    if (TEXT_TYPE.test(type) || (NO_TYPE.test(type) && hasName(TEXT_NAME))) return text('text/plain');
  }
  if (type === 'application/pdf') return other('a file that says it is a PDF, but is not one');
  if (name !== undefined) return other(name);
  return other(
    NO_TYPE.test(type) || !TYPE_WORDS.test(type)
      ? 'a download of an unknown type'
      : `a file of the type ${type}`,
  );
}

const CHARSET = /charset\s*=\s*"?([\w.:-]+)/iu;
const BYTE_ORDER_MARKS = [
  [/^\xEF\xBB\xBF/u, 'utf-8'],
  [/^\xFF\xFE/u, 'utf-16le'],
  [/^\xFE\xFF/u, 'utf-16be'],
] as const;

/**
 * Decodes the text of a file: by its byte order mark, or its stated character set, or as UTF-8, or else as
 * Windows-1252.
 */
export function textOfFile({ body, contentType }: WebFile): string {
  const beginning = body.toString('latin1', 0, 3);
  const marked = BYTE_ORDER_MARKS.find(([pattern]) => pattern.test(beginning))?.[1];
  const stated = CHARSET.exec(contentType)?.[1];
  for (const [charset, fatal] of [
    [marked, false],
    [stated, false],
    ['utf-8', true],
  ] as const) {
    if (charset === undefined) continue;
    try {
      const decoder = new TextDecoder(charset, { fatal });
      return decoder.encoding === WINDOWS_1252 ? decodeWindows1252(body) : decoder.decode(body);
    } catch {
      // The character set is unknown, or the text is not valid UTF-8. Then the next possibility is tried.
    }
  }
  return decodeWindows1252(body);
}
