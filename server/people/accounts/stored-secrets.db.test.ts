import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { secretBox } from '#server/platform/secrets/secret-box.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories } from '#server/testing/factories.ts';
import { encryptStoredSecrets } from './stored-secrets.ts';

const { owner, pipeline } = await testDatabase();
const now = new Date('2026-11-20T15:00:00Z');
const make = factories(pipeline, () => now);
const [old, present] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;

const { id: organizationId } = await make.organization();
const user = await make.user({ organizationId });
await owner.query(sql`update users set mfa_opted_in = true, mfa_secret = 'JBSWY3DPEHPK3PXP' where id = ${user.id}`);
const { rows } = await owner.query<{ id: string }>(sql`
  insert into sso_connections (organization_id, kind, name, is_enabled, issuer, client_secret, application_experience, created_at)
  values (${organizationId}, 'OIDC', 'Elm', true, 'https://elm.example', 'v1.looks sealed', 'JANUS_AUTH0_SSO', ${now}) returning id`);
const connectionId = rows[0]?.id ?? '';

const stored = async () => {
  const { rows: found } = await owner.query<{ factor: string; client: string }>(sql`
    select mfa_secret as factor, (select client_secret from sso_connections where id = ${connectionId}) as client
    from users where id = ${user.id}`);
  return found[0] ?? { factor: '', client: '' };
};
const opened = async (box: ReturnType<typeof secretBox>) => {
  const { factor, client } = await stored();
  return [
    box.open(factor, `users.mfa_secret ${user.id}`),
    box.open(client, `sso_connections.client_secret ${connectionId}`),
  ];
};
const SECRETS = ['JBSWY3DPEHPK3PXP', 'v1.looks sealed'];

test('secrets stored in clear are encrypted once, and again under a new key', async () => {
  await encryptStoredSecrets(pipeline, secretBox([old]));
  const first = await stored();
  expect(await opened(secretBox([old]))).toEqual(SECRETS);
  await encryptStoredSecrets(pipeline, secretBox([old]));
  expect(await stored()).toEqual(first);

  await encryptStoredSecrets(pipeline, secretBox([present, old]));
  expect(await opened(secretBox([present]))).toEqual(SECRETS);
});

test('a missing key stops the start and changes nothing', async () => {
  const before = await stored();
  await expect(encryptStoredSecrets(pipeline, secretBox([Buffer.alloc(32, 3)]))).rejects.toThrow(
    `users.mfa_secret ${user.id} was encrypted under the key ${before.factor.split('.')[1]}, which is not set`,
  );
  expect(await stored()).toEqual(before);
});
