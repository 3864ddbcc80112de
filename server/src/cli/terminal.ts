import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Colours a text, or leaves it as it is. */
export type Colouring = (style: Style, text: string) => string;

export const isTerminal = (stream: object): boolean => 'isTTY' in stream && stream.isTTY === true;

/** The width of a terminal in columns; undefined if it is unknown, or for another stream. */
export const columnsOf = (stream: object): number | undefined =>
  isTerminal(stream) && 'columns' in stream && typeof stream.columns === 'number' && stream.columns > 0
    ? stream.columns
    : undefined;

/**
 * Returns a function that colours texts if the stream is a terminal with colours. NO_COLOR prevents colours,
 * FORCE_COLOR enforces them.
 */
export const colouringFor =
  (stream: NodeJS.WritableStream): Colouring =>
  (style, text) =>
    styleText(style, text, { stream });
