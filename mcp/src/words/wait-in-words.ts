const units = [
  { name: 'hour', seconds: 3600 },
  { name: 'minute', seconds: 60 },
] as const;

/** A time to wait as people say it, never shorter than it is: "45 seconds", "about 7 hours". */
export function waitInWords(seconds: number): string {
  for (const unit of units) {
    if (seconds < 2 * unit.seconds) continue;
    return `about ${Math.ceil(seconds / unit.seconds)} ${unit.name}s`;
  }
  return seconds === 1 ? '1 second' : `${Math.ceil(seconds)} seconds`;
}
