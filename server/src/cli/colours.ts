import { styleText } from 'node:util';
import { WriteStream } from 'node:tty';

type Style = Parameters<typeof styleText>[0];

/** Colours a text, or leaves it as it is. */
export type Colouring = (style: Style, text: string) => string;

const plain: Colouring = (_style, text) => text;
const coloured: Colouring = (style, text) => styleText(style, text, { validateStream: false });

/** Colours for a terminal that has them, unless NO_COLOR is set. */
export const colouringFor = (stream: object): Colouring =>
  stream instanceof WriteStream && stream.hasColors() ? coloured : plain;
