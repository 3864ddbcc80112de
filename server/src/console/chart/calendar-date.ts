const dateFrom = (date: string) => new Date(`${date}T00:00:00Z`);

/** A date YYYY-MM-DD for people, with its year. */
export const longDate = (date: string): string =>
  dateFrom(date).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** A date YYYY-MM-DD for people, where its year is plain. */
export const shortDate = (date: string): string =>
  dateFrom(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
