import { type NodeConnectionType, NodeConnectionTypes } from 'n8n-workflow';

/** One main connection. */
export const MAIN: NodeConnectionType[] = [NodeConnectionTypes.Main];
