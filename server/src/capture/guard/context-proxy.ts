/** The proxy settings of a browser context. */
export interface ContextProxy {
  readonly server: string;
  readonly bypass: string;
  readonly username?: string;
  readonly password?: string;
}
