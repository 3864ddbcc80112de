import { installCorpus } from './corpus-install.mjs';
import { installMcpClients } from './mcp-clients-install.mjs';
import { installN8n } from './n8n-install.mjs';

// What the tests of systems need from elsewhere, what takes longest last.
await installMcpClients();
await installCorpus();
await installN8n();
