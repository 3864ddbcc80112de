const NICE = [5, 2, 1] as const;

/** The largest of 1, 2 and 5 times a power of ten that is not above `most`; both in the same unit, above 0. */
export function niceStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  // A quotient may come out a hair below what it is: 3e-1 / 1e-1 is 2.9999….
  const step = NICE.find((digit) => digit <= (most / power) * (1 + Number.EPSILON)) ?? 1;
  return step * power;
}
