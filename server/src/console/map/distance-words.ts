const KILOMETRE_METRES = 1_000;

/** A length on the ground for people: metres below a kilometre, else kilometres with at most two decimals. */
export const distanceWords = (metres: number): string =>
  metres < KILOMETRE_METRES
    ? `${metres.toLocaleString('en-GB', { maximumFractionDigits: 1 })} m`
    : `${(metres / KILOMETRE_METRES).toLocaleString('en-GB', { maximumFractionDigits: 2 })} km`;
