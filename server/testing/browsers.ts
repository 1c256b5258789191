import { anonymous, type Client, TEST_PASSWORD, type TestApp } from './app.ts';

export const FIREFOX_ON_LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0';

/** Signs in with a browser that sends this User-Agent. */
export async function signInWith(app: TestApp, username: string, userAgent: string): Promise<Client> {
  const client = anonymous(app);
  await client.fetch('/api/authenticate', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ username, password: TEST_PASSWORD }),
  });
  return client;
}
