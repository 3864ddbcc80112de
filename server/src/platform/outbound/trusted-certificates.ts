import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { reasonOf, ServiceError } from '../errors.js';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/gu;

const certificatesIn = (text: string): readonly string[] => text.match(CERTIFICATE) ?? [];

/**
 * The certificates of SIGNPOST_EXTRA_CA_FILE, each in PEM. Throws a ServiceError if the file cannot be read, or has no
 * certificate or a broken one.
 */
export function readExtraCertificates(file: string): readonly string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ServiceError(
      'internal',
      `The file ${file}, which SIGNPOST_EXTRA_CA_FILE names, cannot be read: ${reasonOf(error)}. Put it there, readable by this user.`,
      { cause: error },
    );
  }
  const certificates = certificatesIn(text);
  try {
    for (const certificate of certificates) new X509Certificate(certificate);
    if (certificates.length > 0) return certificates;
  } catch {
    // A broken certificate is reported below, with the same message as a file without any.
  }
  throw new ServiceError(
    'internal',
    `The file ${file}, which SIGNPOST_EXTRA_CA_FILE names, must hold certificates in PEM, each from "-----BEGIN CERTIFICATE-----" on. To convert one: openssl x509 -inform der -in FILE -out ca.pem`,
  );
}

/**
 * The certificates to trust for the server's own connections: the public ones and those of the file. Undefined if no
 * file is configured; then Node.js uses its own. Throws the errors of `readExtraCertificates`.
 */
export const trustedCertificates = (extraCaFile: string | undefined): readonly string[] | undefined =>
  extraCaFile === undefined ? undefined : [...rootCertificates, ...readExtraCertificates(extraCaFile)];
