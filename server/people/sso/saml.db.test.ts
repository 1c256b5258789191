import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { anonymous, type Client, startApp } from '#server/testing/app.ts';
import { selfSigned } from '#server/testing/certificate.ts';
import {
  type AssertionContent,
  readRequest,
  type SamlRequest,
  samlProvider,
  startSamlProvider,
} from '#server/testing/saml-provider.ts';
import { connect, organizationWithAdministrator, pathOf } from '#server/testing/sso.ts';

const app = await startApp();
const { admin, organizationId } = await organizationWithAdministrator(app);
const provider = samlProvider();
const connection = await connect(app, admin, {
  kind: 'SAML',
  issuer: provider.entityId,
  certificates: [provider.certificate],
  domains: ['lakeshore.test'],
});
const base = pathOf(connection.callbackUrl).replace(/\/callback$/, '');
const user = await app.make.user({ organizationId, username: 'rosa@lakeshore.test' });
const REFUSED = '/login?error=SSO_ERROR';
const rosa = { nameId: 'subject of Rosa', email: user.username };

async function start(client: Client, query = ''): Promise<SamlRequest> {
  const response = await client.fetch(`${base}/start${query}`);
  return readRequest(response.headers.get('location') ?? '');
}

/** Posts the answer as the identity provider's page does: the browser marks it as coming from another site. */
async function post(client: Client, { relayState }: SamlRequest, answer: string): Promise<string | null> {
  const body = new URLSearchParams({ SAMLResponse: Buffer.from(answer).toString('base64'), RelayState: relayState });
  const headers = { origin: 'https://identity.test', 'sec-fetch-site': 'cross-site' };
  const response = await client.fetch(`${base}/callback`, { method: 'POST', body, headers });
  return response.headers.get('location');
}

/** Begins a sign-in and answers it with what `make` returns. Returns where we redirect. */
async function answered(make: (request: SamlRequest) => string, client = anonymous(app)): Promise<string | null> {
  const request = await start(client);
  return post(client, request, make(request));
}

function honest(request: SamlRequest, over: Partial<AssertionContent> = {}): string {
  const said = provider.contentFor(request, { ...rosa, ...over });
  return provider.response(request, provider.sign(provider.assertion(said), said.id));
}

describe('a signed assertion', () => {
  test('signs its user in and opens the page that was wanted', async () => {
    const client = anonymous(app);
    const request = await start(client, `?returnTo=${encodeURIComponent('/dashboard/user-profile')}`);
    expect(request.audience).toBe(connection.metadataUrl);
    expect(await post(client, request, honest(request))).toBe('/dashboard/user-profile');
    const me = await client.call('GET /api/me', {});
    expect(me.user).toMatchObject({
      id: user.id,
      isSSO: true,
      isAuth0: false,
      applicationExperience: 'JANUS_ENTERPRISE_SSO',
    });
  });

  test('identifies its user by subject from the second sign-in on', async () => {
    const client = anonymous(app);
    expect(await answered((request) => honest(request, { email: 'rosa.new@elsewhere.test' }), client)).toBe('/');
    expect((await client.call('GET /api/me', {})).user.id).toBe(user.id);
    expect(await answered((request) => honest(request, { nameId: 'successor' }))).toBe(REFUSED);
  });

  test('may come in a signed response', async () => {
    const both = (request: SamlRequest) => {
      const answer = honest(request);
      return provider.sign(answer, /<samlp:Response[^>]* ID="([^"]+)"/.exec(answer)?.[1] ?? '');
    };
    expect(await answered(both)).toBe('/');
  });

  test('for a user of no or another organization is refused', async () => {
    await app.make.user({ username: 'foreign@lakeshore.test' });
    for (const name of ['unknown', 'foreign']) {
      const over = { nameId: name, email: `${name}@lakeshore.test` };
      expect(await answered((request) => honest(request, over))).toBe(REFUSED);
    }
  });
});

describe('refused:', () => {
  test.each<[string, (request: SamlRequest) => string]>([
    [
      'an assertion without a signature',
      (request) => provider.response(request, provider.assertion(provider.contentFor(request, rosa))),
    ],
    [
      'an unsigned assertion in a signed response',
      (request) => {
        const answer = provider.response(request, provider.assertion(provider.contentFor(request, rosa)));
        return provider.sign(answer, /<samlp:Response[^>]* ID="([^"]+)"/.exec(answer)?.[1] ?? '');
      },
    ],
    [
      'one signed by another key',
      (request) => {
        const said = provider.contentFor(request, rosa);
        const { key } = selfSigned(new Date(Date.now() + 86_400_000));
        return provider.response(request, provider.sign(provider.assertion(said), said.id, { key }));
      },
    ],
    [
      'one changed after it was signed',
      (request) => honest(request, { nameId: 'somebody else' }).replace('somebody else', rosa.nameId),
    ],
    [
      'one signed with SHA-1',
      (request) => {
        const said = provider.contentFor(request, rosa);
        return provider.response(request, provider.sign(provider.assertion(said), said.id, { algorithm: 'sha1' }));
      },
    ],
    [
      'one whose algorithm is hidden by an entity',
      (request) => honest(request).replaceAll('rsa-sha256', 'rsa-sha25&#54;'),
    ],
    [
      'one that has expired',
      (request) =>
        honest(request, { notBefore: new Date(Date.now() - 900_000), notOnOrAfter: new Date(Date.now() - 600_000) }),
    ],
    [
      'one that is not valid yet',
      (request) =>
        honest(request, { notBefore: new Date(Date.now() + 300_000), notOnOrAfter: new Date(Date.now() + 600_000) }),
    ],
    ['one for another audience', (request) => honest(request, { audience: 'https://elsewhere.test/saml' })],
    ['one for another recipient', (request) => honest(request, { recipient: 'https://elsewhere.test/callback' })],
    ['one in answer to another request', (request) => honest(request, { inResponseTo: '_another' })],
    ['one in answer to nothing', (request) => honest(request, { inResponseTo: null })],
    [
      'a response to no request around a right assertion',
      (request) => honest(request).replace(/(<samlp:Response[^>]*) InResponseTo="[^"]+"/, '$1'),
    ],
    ['one from another issuer', (request) => honest(request, { issuer: 'https://elsewhere.test' })],
    [
      'one with a transient name',
      (request) => honest(request, { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }),
    ],
    [
      'a refusal by the provider',
      (request) => provider.response(request, '').replace('status:Success', 'status:Responder'),
    ],
    ['a response that is not XML', () => 'not XML at all'],
    ['a document type', (request) => `<!DOCTYPE x [<!ENTITY a "b">]>${honest(request)}`],
  ])('%s', async (_what, make) => {
    const client = anonymous(app);
    expect(await answered(make, client)).toBe(REFUSED);
    await expect(client.call('GET /api/me', {})).rejects.toMatchObject({ status: 401 });
  });

  test.each([
    ['30,000 nested elements', '<a>'.repeat(30_000)],
    ['14,000 nested and closed elements', `${'<a>'.repeat(14_000)}${'</a>'.repeat(14_000)}`],
    ['as many siblings as the limit allows', `<r>${'<a b="c"/>'.repeat(1490)}</r>`],
    ['30,000 attributes', `<r ${'a="b" '.repeat(30_000)}/>`],
    ['10,000 namespaces', `<r>${'<a xmlns:b="c"/>'.repeat(10_000)}</r>`],
    ['entities that multiply', '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><r>&b;</r>'],
  ])('a response of %s, before it costs anything', async (_, xml) => {
    expect(await answered(() => xml)).toBe(REFUSED);
  });

  test('a response sent twice, or by another browser', async () => {
    const client = anonymous(app);
    const request = await start(client);
    const answer = honest(request);
    const thief = anonymous(app);
    await start(thief);
    expect(await post(thief, request, answer)).toBe(REFUSED);
    expect(await post(client, request, answer)).toBe('/');
    expect(await post(client, request, answer)).toBe(REFUSED);
  });

  test('an old assertion sent for a new request', async () => {
    const client = anonymous(app);
    const first = await start(client);
    const old = honest(first);
    expect(await post(client, first, old)).toBe('/');
    const second = await start(client);
    expect(await post(client, second, old)).toBe(REFUSED);
    expect(await post(client, await start(client), old.replaceAll(first.id, second.id))).toBe(REFUSED);
  });

  test('an assertion id that was used before, even when several arrive at once', async () => {
    const id = '_the same twice';
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => answered((request) => honest(request, { id: id.replaceAll(' ', '-') }))),
    );
    expect(outcomes.filter((outcome) => outcome === '/')).toHaveLength(1);
    const { rows } = await app.database.owner.query('select digest, expires_at from used_assertions');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ digest }) => (digest as Buffer).length)).toEqual(
      rows.map(() => createHash('sha256').digest().length),
    );
  });

  test('a response for a connection that was turned off after the request', async () => {
    const own = await connect(app, admin, {
      kind: 'SAML',
      issuer: 'https://other.test',
      certificates: [provider.certificate],
    });
    const client = anonymous(app);
    const response = await client.fetch(pathOf(own.callbackUrl).replace(/callback$/, 'start'));
    const request = readRequest(response.headers.get('location') ?? '');
    expect(await post(client, request, honest(request))).toBe(REFUSED);
    const { id, hasSecret: _, callbackUrl: __, metadataUrl: ___, ...fields } = own;
    await admin.call('PUT /api/admin/sso-connections/:id', { params: { id }, body: { ...fields, isEnabled: false } });
    const again = await client.fetch(pathOf(own.callbackUrl).replace(/callback$/, 'start'));
    expect(again.headers.get('location')).toBe(REFUSED);
  });
});

/** Signature wrapping: an attacker with a valid assertion of their own forges one for someone else around it. */
describe('a wrapped signature is refused:', () => {
  const mallory = { nameId: 'subject of Mallory', email: 'mallory@lakeshore.test' };

  function pieces(request: SamlRequest) {
    const own = provider.contentFor(request, mallory);
    const signed = provider.sign(provider.assertion(own), own.id);
    const signature = /<ds:Signature.*<\/ds:Signature>/s.exec(signed)?.[0] ?? '';
    const forge = (over: Partial<AssertionContent>, inside = '') =>
      provider
        .assertion(provider.contentFor(request, { ...rosa, ...over }))
        .replace('</saml:Issuer>', `</saml:Issuer>${inside}`);
    return { own, signed, signature, forge };
  }

  test.each<[string, (request: SamlRequest) => string]>([
    [
      'the forged assertion before the signed one',
      (request) => {
        const { signed, forge } = pieces(request);
        return provider.response(request, forge({}) + signed);
      },
    ],
    [
      'the forged assertion after the signed one',
      (request) => {
        const { signed, forge } = pieces(request);
        return provider.response(request, signed + forge({}));
      },
    ],
    [
      'the forged assertion with the other’s id and signature',
      (request) => {
        const { own, signature, forge } = pieces(request);
        return provider.response(request, forge({ id: own.id }, signature));
      },
    ],
    [
      'the signed assertion inside the forged one’s signature',
      (request) => {
        const { own, signed, signature, forge } = pieces(request);
        const object = `<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${signed.replace(signature, '')}</ds:Object>`;
        return provider.response(
          request,
          forge({ id: `${own.id}x` }, signature.replace('</ds:Signature>', `${object}</ds:Signature>`)),
        );
      },
    ],
    [
      'the signed assertion in an extension, with the same id',
      (request) => {
        const { own, signed, signature, forge } = pieces(request);
        const extension = `<samlp:Extensions>${signed.replace(signature, '')}</samlp:Extensions>`;
        return provider.response(request, extension + forge({ id: own.id }, signature));
      },
    ],
    [
      'the signed assertion in the forged one’s advice',
      (request) => {
        const { signed, forge } = pieces(request);
        return provider.response(
          request,
          forge({}).replace('<saml:AuthnStatement', `<saml:Advice>${signed}</saml:Advice><saml:AuthnStatement`),
        );
      },
    ],
    [
      'a forged response around the signed response',
      (request) => {
        const { signed, forge } = pieces(request);
        return provider.response(request, forge({}) + provider.response(request, signed));
      },
    ],
  ])('%s', async (_what, make) => {
    const client = anonymous(app);
    expect(await answered(make, client)).toBe(REFUSED);
    await expect(client.call('GET /api/me', {})).rejects.toMatchObject({ status: 401 });
  });

  test('a comment in a name does not cut the name short', async () => {
    const over = { nameId: 'subject of Rosa<!-- -->.evil', email: 'rosa@lakeshore.test<!-- -->.evil.test' };
    expect(await answered((request) => honest(request, over))).toBe(REFUSED);
  });
});

test('a provider with its own pages takes the browser there and back', async () => {
  const other = await startSamlProvider(() => ({ nameId: 'page', email: 'page@pages.test' }));
  const { certificate, entityId } = other.provider;
  const own = await connect(app, admin, {
    kind: 'SAML',
    issuer: entityId,
    certificates: [certificate],
    entryPoint: other.url,
    domains: ['pages.test'],
  });
  const reader = await app.make.user({ organizationId, username: 'page@pages.test' });
  const client = anonymous(app);
  const there = await client.fetch(pathOf(own.callbackUrl).replace(/callback$/, 'start'));
  const page = await (await fetch(there.headers.get('location') ?? '')).text();
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
  const body = new URLSearchParams({ SAMLResponse: value('SAMLResponse'), RelayState: value('RelayState') });
  const action = /action="([^"]+)"/.exec(page)?.[1] ?? '';
  expect((await client.fetch(pathOf(action), { method: 'POST', body })).headers.get('location')).toBe('/');
  expect((await client.call('GET /api/me', {})).user.id).toBe(reader.id);
  await other.close();
});

test('our metadata is available before the connection is turned on', async () => {
  const off = await connect(app, admin, {
    kind: 'SAML',
    issuer: 'https://later.test',
    certificates: [provider.certificate],
    isEnabled: false,
  });
  const response = await anonymous(app).fetch(pathOf(off.metadataUrl));
  const xml = await response.text();
  expect(response.headers.get('content-type')).toContain('xml');
  expect(xml).toContain(`entityID="${off.metadataUrl}"`);
  expect(xml).toContain('WantAssertionsSigned="true"');
  expect(xml).toContain(`Location="${off.callbackUrl}"`);
});

test('only this route accepts a form from another site, and no other route reads forms', async () => {
  const headers = { origin: 'https://identity.test', 'sec-fetch-site': 'cross-site' };
  const body = new URLSearchParams({ username: 'a@b.test', password: 'x' });
  expect((await anonymous(app).fetch('/api/authenticate', { method: 'POST', body, headers })).status).toBe(403);
  expect((await anonymous(app).fetch('/api/authenticate', { method: 'POST', body })).status).toBe(400);
});
