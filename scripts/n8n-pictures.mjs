import { join } from 'node:path';
import { root } from './root.mjs';

// Runs the templates in a real n8n and stores the screenshots in docs/n8n.
process.env.SIGNPOST_N8N_PICTURES = join(root, 'docs/n8n');
process.argv.splice(2, Infinity, 'test/n8n/templates');
await import('./n8n-test.mjs');
