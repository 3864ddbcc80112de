/** Says something to whoever listens to the page rather than looking at it. */
export function announce(words: string): void {
  const place = document.getElementById('announcements');
  if (place !== null) place.textContent = words;
}
