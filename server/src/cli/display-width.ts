import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Matches emoji and flags, which take two columns. */
const WIDE = /\p{Emoji_Presentation}|\uFE0F|\p{Regional_Indicator}{2}/u;

const widthOf = (grapheme: string) => (WIDE.test(grapheme) ? 2 : stringWidth(grapheme));

/** How many columns of a terminal a text takes: wide East Asian characters and emoji two, combining marks none. */
export const displayWidth = (text: string): number =>
  [...graphemes.segment(text)].reduce((sum, { segment }) => sum + widthOf(segment), 0);

/** Cuts a text to the given width, including the final ellipsis. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let cut = '';
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment);
    if (width > columns) break;
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}
