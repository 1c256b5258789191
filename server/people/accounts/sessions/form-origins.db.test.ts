/** Where a page may post forms: to an exchange that the organization has set, from the page that opens it, and nowhere else. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Client, signIn, startApp } from '#server/testing/app.ts';

const webRoot = mkdtempSync(join(tmpdir(), 'pages-'));
writeFileSync(join(webRoot, 'index.html'), '<!doctype html><title>Tidings</title>');
const app = await startApp({ webRoot });
const { make } = app;

async function administrator(): Promise<Client> {
  const { id: organizationId } = await make.organization();
  const { id: groupId } = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [groupId] });
  return signIn(app, (await make.user({ team, role: 'administrator' })).username);
}

/** Returns the form-action of a page's policy. */
async function formAction(client: Client, path: string): Promise<string | undefined> {
  const response = await client.fetch(path, { headers: { accept: 'text/html' } });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
  return /form-action ([^;]*)/.exec(response.headers.get('content-security-policy') ?? '')?.[1];
}

test('only the page that opens an exchange may post to it, and only of the organization that set it', async () => {
  const [here, there] = [await administrator(), await administrator()];
  const vynca = { url: 'https://vynca.example:8443/open/it', fields: [] };
  await here.call('PUT /api/admin/record-settings', { body: { vynca } });
  const page = '/dashboard/patients/1_0/open/vynca';
  expect(await formAction(here, page)).toBe("'self' https://vynca.example:8443");
  expect(await formAction(here, '/dashboard/patients/1_0')).toBe("'self'");
  expect(await formAction(there, page)).toBe("'self'");
  here.cookies.clear();
  expect(await formAction(here, page)).toBe("'self'");
});
