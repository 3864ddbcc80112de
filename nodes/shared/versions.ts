import type { INode } from 'n8n-workflow';

/** The version of the node Signpost from which on a result is put beside the item's own fields by default. */
const BESIDE_VERSION = 1.2;

/** Shows a parameter from BESIDE_VERSION on. */
export const SINCE_BESIDE = { '@version': [{ _cnd: { gte: BESIDE_VERSION } }] };
/** Shows a parameter only in versions before BESIDE_VERSION. */
export const BEFORE_BESIDE = { '@version': [{ _cnd: { lt: BESIDE_VERSION } }] };

export const putsResultBesideInput = ({ typeVersion }: INode): boolean => typeVersion >= BESIDE_VERSION;
