import type { ServerResponse } from 'node:http';

const html = (body: string) => (_request: unknown, response: ServerResponse) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><html lang="en"><title>Everyday</title><body>${body}</body></html>`);
};

const paragraphs = (about: string, count: number) =>
  Array.from(
    { length: count },
    (_, index) =>
      `<p>Paragraph ${index + 1} on ${about}: what was said of it, by whom, in which year, and what became of it in the years that followed, as far as anybody wrote it down.</p>`,
  ).join('');

const article = (about: string, count: number) =>
  html(
    `<nav>Home, News, Sport</nav><main><article><h1>On ${about}</h1>${paragraphs(about, count)}</article></main>`,
  );

/** The number of paragraphs of the longest page, each of about 150 characters. */
const LONG_PARAGRAPHS = 1_150;

/** The pages that everyday tasks are about. */
export const EVERYDAY_PAGES = {
  '/statute': html(
    `<main><h1>An act</h1>${paragraphs('rivers', LONG_PARAGRAPHS / 2)}<h2 id="fees">Fees</h2><p>The fee for a fishing licence is 41 pounds and 50 pence.</p>${paragraphs('lakes', LONG_PARAGRAPHS / 2)}</main>`,
  ),
  '/article': article('canals', 60),
  '/long-1': article('bridges', 100),
  '/long-2': article('tunnels', 100),
  '/table': html(
    `<h1>Trains</h1>${paragraphs('trains', 5)}<table border="1"><tr><th>From<th>To</tr><tr><td>Leeds<td>York</tr></table>`,
  ),
  '/late': html(
    `<main><h1>Results</h1></main><script>setTimeout(() => document.querySelector('main').insertAdjacentHTML('beforeend', '<p id="late">The score is 3 to 1, after a long and even match that nobody will forget.</p>'), 3000)</script>`,
  ),
  '/themes': html(
    `<style>body { margin: 0; background: white } @media (prefers-color-scheme: dark) { body { background: black } }</style>`,
  ),
  '/consent': html(
    `<style>body { margin: 0; background: green }</style><p>The text of the page.</p>
    <div role="dialog" style="position:fixed;inset:0;background:white;z-index:9">
      <p>We use cookies and similar technologies to personalise content, to offer advertising and to analyse our traffic.</p>
      <button>Accept all</button> <button onclick="this.parentElement.remove()">Reject all</button></div>`,
  ),
};
