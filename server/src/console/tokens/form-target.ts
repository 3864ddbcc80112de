/** Names and IPv4 addresses; the policy's grammar knows no IPv6 address, and a `*` or `;` would mean something else. */
const NAMEABLE = /^[a-z\d.-]+$/u;

/**
 * The source for `form-action` of a content security policy that lets a form's answer redirect to a URL: its
 * origin, or its scheme where the policy cannot name the host.
 */
export const formTarget = ({ hostname, origin, protocol }: URL): string =>
  NAMEABLE.test(hostname) ? origin : protocol;
