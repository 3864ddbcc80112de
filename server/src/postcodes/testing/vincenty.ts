const a = 6_378_137;
const f = 1 / 298.257223563;
const b = a * (1 - f);
const DEGREE = Math.PI / 180;

/** Vincenty's inverse formula on WGS84, in metres: to check distances by another way than the one that makes them. */
export function vincentyMetres(lat1: number, long1: number, lat2: number, long2: number): number {
  const u1 = Math.atan((1 - f) * Math.tan(lat1 * DEGREE));
  const u2 = Math.atan((1 - f) * Math.tan(lat2 * DEGREE));
  const turn = ((((long2 - long1 + 180) % 360) + 360) % 360) - 180;
  const difference = turn * DEGREE;
  let lambda = difference;
  for (let step = 0; step < 200; step += 1) {
    const x = Math.cos(u2) * Math.sin(lambda);
    const y = Math.cos(u1) * Math.sin(u2) - Math.sin(u1) * Math.cos(u2) * Math.cos(lambda);
    const sinSigma = Math.hypot(x, y);
    if (sinSigma === 0) return 0;
    const cosSigma = Math.sin(u1) * Math.sin(u2) + Math.cos(u1) * Math.cos(u2) * Math.cos(lambda);
    const sigma = Math.atan2(sinSigma, cosSigma);
    const sinAlpha = (Math.cos(u1) * Math.cos(u2) * Math.sin(lambda)) / sinSigma;
    const cos2Alpha = 1 - sinAlpha ** 2;
    const cos2SigmaM = cos2Alpha === 0 ? 0 : cosSigma - (2 * Math.sin(u1) * Math.sin(u2)) / cos2Alpha;
    const c = (f / 16) * cos2Alpha * (4 + f * (4 - 3 * cos2Alpha));
    const before = lambda;
    lambda =
      difference +
      (1 - c) *
        f *
        sinAlpha *
        (sigma + c * sinSigma * (cos2SigmaM + c * cosSigma * (2 * cos2SigmaM ** 2 - 1)));
    if (Math.abs(lambda - before) > 1e-13) continue;
    const k = cos2Alpha * (a ** 2 / b ** 2 - 1);
    const A = 1 + (k / 16384) * (4096 + k * (-768 + k * (320 - 175 * k)));
    const B = (k / 1024) * (256 + k * (-128 + k * (74 - 47 * k)));
    const last = (B / 6) * cos2SigmaM * (4 * sinSigma ** 2 - 3) * (4 * cos2SigmaM ** 2 - 3);
    const delta = B * sinSigma * (cos2SigmaM + (B / 4) * (cosSigma * (2 * cos2SigmaM ** 2 - 1) - last));
    return b * A * (sigma - delta);
  }
  throw new Error('Vincenty does not converge here.');
}
