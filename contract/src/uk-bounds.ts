/** A box around the United Kingdom, in degrees. */
const UK = { latitude: [49, 61], longitude: [-9, 2] } as const;

const isWithin = ([low, high]: readonly [number, number], degrees: number) =>
  degrees >= low && degrees <= high;
const isInUk = (latitude: number, longitude: number) =>
  isWithin(UK.latitude, latitude) && isWithin(UK.longitude, longitude);

/** Whether a point is in the box around the UK, would be if latitude and longitude were swapped, or is elsewhere. */
export function whereIsPoint(latitude: number, longitude: number): 'in the UK' | 'exchanged' | 'elsewhere' {
  if (isInUk(latitude, longitude)) return 'in the UK';
  return isInUk(longitude, latitude) ? 'exchanged' : 'elsewhere';
}
