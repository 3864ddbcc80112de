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
  /** Of a request whose operation says nothing else. */
  bodyBytes: { max: 65_536 },
  /** Fields and entries of a JSON body, all its objects and lists together. */
  bodyValues: { max: 512 },
  /** The whole body of a refusal, however much was wrong. */
  errorBytes: { max: 4_096 },
  /** How much of what is wrong with a request is looked for. */
  problems: { max: 5 },
  freeTier: { requestsPerMinute: 5, requestsPerDay: 20 },
  accessTokenLifetimeMinutes: 180,
  usageHistoryDays: 30,
} as const;

const KIBIBYTE = 1_024;
const MEBIBYTE = 1_048_576;

/** A limit of bytes as people say it: "64 KiB", "8 MiB". */
export const bytesInWords = (bytes: number): string =>
  bytes < MEBIBYTE ? `${bytes / KIBIBYTE} KiB` : `${bytes / MEBIBYTE} MiB`;
