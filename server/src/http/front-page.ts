import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { DirectoryInfo } from '../postcodes/directory-info.js';

const STYLE = `
:root { color-scheme: light dark; font: 1.1rem/1.6 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 42rem; padding: 3rem 1.25rem; }
h1 { font-size: 2rem; line-height: 1.2; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
p.notice { border-inline-start: 0.25rem solid #c47f00; padding-inline-start: 1rem; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/gu, (character) => ENTITIES[character] ?? character);

function directoryParagraph(info: DirectoryInfo): string {
  const rows = info.rows.toLocaleString('en-GB');
  return info.isSample
    ? `<p class="notice">Only the sample directory of ${rows} postcodes is loaded. The operator imports the whole one with <code>npx signpost postcodes import FILE</code>.</p>`
    : `<p>Postcode directory: ${escapeHtml(info.edition)}, ${rows} postcodes.</p>`;
}

const page = (info: DirectoryInfo) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Signpost</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Signpost is running</h1>
<p>This server takes screenshots and PDFs of web pages, looks UK postcodes up and counts what each API key has used.</p>
${directoryParagraph(info)}
<p>Every operation, with its fields and limits: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).</p>
</main>
</body>
</html>
`;

/** GET /: says what this server is and which postcode directory it has. */
export function addFrontPage(server: FastifyInstance, directoryInfo: () => DirectoryInfo): void {
  server.get('/', (_request, reply) =>
    reply
      .header('Content-Type', 'text/html; charset=utf-8')
      .header('Content-Security-Policy', POLICY)
      .header('Referrer-Policy', 'no-referrer')
      .header('X-Content-Type-Options', 'nosniff')
      .send(page(directoryInfo())),
  );
}
