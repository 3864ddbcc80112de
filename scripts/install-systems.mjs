import { installCorpus } from './corpus-install.mjs';
import { installMcpClients } from './mcp-clients-install.mjs';
import { installN8n } from './n8n-install.mjs';

// Installs the outside programs that the system tests need, slowest last.
await installMcpClients();
await installCorpus();
await installN8n();
