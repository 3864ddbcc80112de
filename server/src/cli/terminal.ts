import { styleText } from 'node:util';
import { WriteStream } from 'node:tty';

type Style = Parameters<typeof styleText>[0];

/** Colours a text, or leaves it as it is. */
export type Colouring = (style: Style, text: string) => string;

const plain: Colouring = (_style, text) => text;
const coloured: Colouring = (style, text) => styleText(style, text, { validateStream: false });

export const isTerminal = (stream: object): boolean => 'isTTY' in stream && stream.isTTY === true;

/** The columns of a terminal; undefined for a file or another program, for which nothing is cut. */
export const columnsOf = (stream: object): number | undefined =>
  isTerminal(stream) && 'columns' in stream && typeof stream.columns === 'number' && stream.columns > 0
    ? stream.columns
    : undefined;

/** Colours for a terminal that has them, unless NO_COLOR is set. */
export const colouringFor = (stream: object): Colouring =>
  stream instanceof WriteStream && stream.hasColors() ? coloured : plain;
