/** Everything that is entered into the audit, and how people are told of it. */
export const AUDIT_KINDS = {
  'session.signed-in': 'Signed in',
  'session.refused': 'Sign-in refused',
  'session.signed-out': 'Signed out',
  'account.signed-up': 'Signed up',
  'account.created': 'Account made',
  'account.disabled': 'Account disabled',
  'account.enabled': 'Account enabled',
  'account.deleted': 'Account deleted',
  'account.limited': 'Limits of an account changed',
  'account.operator-on': 'Made an operator',
  'account.operator-off': 'No longer an operator',
  'account.api-access-on': 'API access turned on',
  'account.api-access-off': 'API access turned off',
  'password.changed': 'Password changed',
  'password.replaced': 'Given another password',
  'password.refused': 'Current password wrong',
  'project.created': 'Project made',
  'key.created': 'Key made',
  'key.revoked': 'Key revoked',
  'key.limited': 'Limits of a key changed',
  'token.shown': 'Tokens shown',
  'token.regenerated': 'Refresh token regenerated',
  'token.returned': 'Access token sent to a site',
  'return-url.added': 'Return URL registered',
  'return-url.removed': 'Return URL removed',
  'secret.rotated': 'Signing and encryption keys replaced',
  'directory.imported': 'Postcode directory imported',
  'backup.made': 'Backup made',
  'backup.restored': 'Backup restored',
} as const;

export type AuditKind = keyof typeof AUDIT_KINDS;

export const isAuditKind = (text: string): text is AuditKind => Object.hasOwn(AUDIT_KINDS, text);
