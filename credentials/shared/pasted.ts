import { textOf } from '../../nodes/shared/values';

/** A key or token as it is meant: people paste it with the word that stands before it in a header. */
export const pasted = (value: unknown): string => (textOf(value) ?? '').replace(/^bearer(?:\s+|$)/iu, '');
