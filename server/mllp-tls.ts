import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { type Config, ConfigError } from './config.ts';

/** Reads the files of the listener for feeds; undefined if it has no TLS. Throws ConfigError with the variable that names what can't be used. */
export function readTls({ mllp: { tls } }: Pick<Config, 'mllp'>) {
  if (!tls) return undefined;
  const { cert, key, ca } = tls;
  const files = {
    cert: readPem('MLLP_TLS_CERT', cert),
    key: readPem('MLLP_TLS_KEY', key),
    ca: ca ? readPem('MLLP_TLS_CA', ca) : undefined,
  };
  try {
    createSecureContext(files);
  } catch (error) {
    const names = ca ? 'MLLP_TLS_CERT, MLLP_TLS_KEY and MLLP_TLS_CA' : 'MLLP_TLS_CERT and MLLP_TLS_KEY';
    throw new ConfigError(`${names} are no certificate with its key, in PEM (${(error as Error).message})`);
  }
  return files;
}

function readPem(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ConfigError(`${name} cannot be read (${(error as { code?: string }).code}): ${path}`);
  }
}
