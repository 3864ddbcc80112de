const DIRT = /[\p{Dash}\p{Quotation_Mark}`´′″.,·•…\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu;
/** Nobody writes a postcode this long; a longer text is not worth the search. */
const MAX_CHARACTERS = 100;

/**
 * Takes away what gets into a postcode by typing and copying and means nothing: hyphens, dots, commas, quotes and
 * invisible characters. White space stays: it says where an outcode ends.
 */
export const cleanPostcode = (text: string): string =>
  text.length > MAX_CHARACTERS ? text : text.replace(DIRT, '');
