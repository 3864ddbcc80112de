/** A client that registered itself, so that people can connect it. */
export interface OAuthClientRow {
  readonly id: string;
  readonly name: string;
  /** A JSON array. */
  readonly redirect_uris: string;
  readonly created_at: number;
  /** When a connection of the client last began or ended; null if it never had one. */
  readonly used_at: number | null;
}

/**
 * The connection of an assistant, which uses `/mcp` with a key of its own. This row has only hashes of the code and of
 * the refresh token.
 */
export interface ConnectionRow {
  readonly id: string;
  readonly key_id: number;
  readonly client_id: string;
  readonly client_name: string;
  /** The host of the client's document; null if the client registered itself. */
  readonly client_host: string | null;
  readonly redirect_uri: string;
  /** The resource that the tokens of the connection are valid for. */
  readonly resource: string;
  readonly code_hash: string;
  readonly code_challenge: string;
  /** When the code of the connection was redeemed; null until then. */
  readonly redeemed_at: number | null;
  /** Hash of the part that all refresh tokens of the connection share; null until the code is redeemed. */
  readonly family_hash: string | null;
  /** Hash of the part that only the current refresh token has; null until the code is redeemed. */
  readonly refresh_hash: string | null;
  /** When the code expires; once it is redeemed, when the refresh token expires. */
  readonly expires_at: number;
  readonly created_at: number;
}

/** An access token of a connection. */
export interface ConnectionAccessTokenRow {
  readonly hash: string;
  readonly connection_id: string;
  readonly expires_at: number;
}

/** A refresh token that was replaced. For a short time, presenting it still returns the tokens that replaced it. */
export interface ReplacedTokenRow {
  /** The hash that was its connection's `refresh_hash` until the token was replaced. */
  readonly hash: string;
  readonly connection_id: string;
  readonly replaced_at: number;
  /** The new tokens, encrypted with a key that can only be derived from the replaced token. */
  readonly successor: string;
}
