/** A box around the United Kingdom, in degrees. */
const UK = { latitude: [49, 61], longitude: [-9, 2] } as const;

const isWithin = ([low, high]: readonly [number, number], degrees: number) =>
  degrees >= low && degrees <= high;
const isInUk = (latitude: number, longitude: number) =>
  isWithin(UK.latitude, latitude) && isWithin(UK.longitude, longitude);

/** Says whether a point is in the box around the UK; 'exchanged' if it would be with latitude and longitude swapped. */
export function whereIsPoint(latitude: number, longitude: number): 'in the UK' | 'exchanged' | 'elsewhere' {
  if (isInUk(latitude, longitude)) return 'in the UK';
  return isInUk(longitude, latitude) ? 'exchanged' : 'elsewhere';
}
