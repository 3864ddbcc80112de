/** Every bound and default of the interface, each with its unit in its name. */
export const LIMITS = {
  viewport: { minPixels: 16, maxPixels: 7680, defaultWidth: 1920, defaultHeight: 1080 },
  pdfScale: { min: 0.1, max: 2, default: 1 },
  bulkPostcodes: { min: 1, max: 100 },
  nearestResults: { min: 1, max: 100, default: 10 },
  nearestRadiusMetres: { min: 100, max: 20_000, default: 2_000 },
  autocompleteResults: { min: 1, max: 100, default: 10 },
  autocompletePartialCharacters: { min: 2 },
  urlCharacters: { max: 8_192 },
  freeTier: { requestsPerMinute: 5, requestsPerDay: 20 },
  accessTokenLifetimeMinutes: 180,
  usageHistoryDays: 30,
} as const;
