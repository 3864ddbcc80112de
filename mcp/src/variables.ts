/**
 * The variables of the command `signpost-mcp`. The server does not reject them as unknown, even if it does not use
 * them, because the server and the command may share an environment.
 */
export const MCP_COMMAND_VARIABLES = [
  'SIGNPOST_BASE_URL',
  'SIGNPOST_API_KEY',
  'SIGNPOST_MCP_OUTPUT_DIR',
  'SIGNPOST_MCP_MAX_WAIT_SECONDS',
  'SIGNPOST_MCP_HTTP',
  'SIGNPOST_MCP_HOST',
  'SIGNPOST_MCP_PORT',
  'SIGNPOST_MCP_PUBLIC_URL',
  'SIGNPOST_MCP_ALLOWED_HOSTS',
  'SIGNPOST_MCP_ALLOWED_ORIGINS',
] as const;

export type McpCommandVariable = (typeof MCP_COMMAND_VARIABLES)[number];
