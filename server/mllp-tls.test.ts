import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { readTls } from './mllp-tls.ts';
import { selfSigned } from './testing/certificate.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-tls-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function pair(name: string) {
  const { key, pem } = selfSigned(new Date('2030-01-01T00:00:00Z'));
  const paths = { MLLP_TLS_CERT: join(folder, `${name}-cert.pem`), MLLP_TLS_KEY: join(folder, `${name}-key.pem`) };
  await writeFile(paths.MLLP_TLS_CERT, pem);
  await writeFile(paths.MLLP_TLS_KEY, key.export({ type: 'pkcs8', format: 'pem' }));
  return paths;
}

test('a certificate and its key are read, and what cannot be used is named with its variable', async () => {
  const one = await pair('one');
  const other = await pair('other');
  expect(readTls(readConfig(one))?.cert.toString()).toContain('BEGIN CERTIFICATE');
  const missing = { ...one, MLLP_TLS_KEY: join(folder, 'none.pem') };
  const refusedWith = (env: Record<string, string>) => {
    try {
      return readTls(readConfig(env));
    } catch (error) {
      return error;
    }
  };
  expect(refusedWith(missing)).toEqual(
    new ConfigError(`MLLP_TLS_KEY cannot be read (ENOENT): ${missing.MLLP_TLS_KEY}`),
  );
  const mixed = { ...one, MLLP_TLS_KEY: other.MLLP_TLS_KEY };
  expect(refusedWith(mixed)).toBeInstanceOf(ConfigError);
  expect(String(refusedWith(mixed))).toContain('MLLP_TLS_CERT and MLLP_TLS_KEY are no certificate with its key');
});
