import { type KeyObject, randomUUID } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { selfSigned } from './certificate.ts';
import { listen } from './http-server.ts';

/** Our authentication request, as an identity provider reads it from the URL that the browser is sent to. */
export interface SamlRequest {
  id: string;
  relayState: string;
  /** Our entity ID, and the URL to post the response to. */
  audience: string;
  recipient: string;
}

/** Reads our request from the URL of the redirect. */
export function readRequest(location: string): SamlRequest {
  const { searchParams } = new URL(location);
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  const part = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? '';
  return {
    id: part(/ ID="([^"]+)"/),
    relayState: searchParams.get('RelayState') ?? '',
    audience: part(/Issuer[^>]*>([^<]+)</),
    recipient: part(/AssertionConsumerServiceURL="([^"]+)"/),
  };
}

/** The content of an assertion. Tests override single fields. */
export interface AssertionContent {
  id: string;
  issuer: string;
  nameId: string;
  nameIdFormat: string;
  audience: string;
  recipient: string;
  /** Null leaves the attribute out. */
  inResponseTo: string | null;
  notBefore: Date;
  notOnOrAfter: Date;
  email: string | null;
}

/** An identity provider with its own key. It makes each part of a response separately, so that a test can combine them wrongly. */
export interface SamlProvider {
  entityId: string;
  certificate: string;
  /** Returns the content of an honest assertion for the request. */
  contentFor(request: SamlRequest, over?: Partial<AssertionContent>): AssertionContent;
  /** Returns an unsigned assertion. */
  assertion(content: AssertionContent): string;
  /** Signs the element with this ID: the assertion or the response. */
  sign(xml: string, id: string, options?: { key?: KeyObject; algorithm?: 'sha256' | 'sha1' }): string;
  /** Wraps assertions in a response, as the browser posts it. */
  response(request: SamlRequest, content: string): string;
}

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const ALGORITHMS = {
  sha256: ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2001/04/xmlenc#sha256'],
  sha1: [`${DSIG}rsa-sha1`, `${DSIG}sha1`],
} as const;
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';

export function samlProvider(entityId = 'https://identity.test/saml'): SamlProvider {
  const { key: ownKey, pem } = selfSigned(new Date(Date.now() + 300 * 86_400_000));
  return {
    entityId,
    certificate: pem,
    contentFor: (request, over = {}) => ({
      id: `_${randomUUID()}`,
      issuer: entityId,
      nameId: 'n-1',
      nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      audience: request.audience,
      recipient: request.recipient,
      inResponseTo: request.id,
      notBefore: new Date(Date.now() - 5000),
      notOnOrAfter: new Date(Date.now() + 300_000),
      email: null,
      ...over,
    }),
    assertion,
    sign(xml, id, { key = ownKey, algorithm = 'sha256' } = {}) {
      const [signatureAlgorithm, digestAlgorithm] = ALGORITHMS[algorithm];
      const privateKey = key.export({ type: 'pkcs8', format: 'pem' });
      const signer = new SignedXml({ privateKey, signatureAlgorithm, canonicalizationAlgorithm: EXCLUSIVE });
      const xpath = `//*[@ID='${id}']`;
      signer.addReference({ xpath, transforms: [`${DSIG}enveloped-signature`, EXCLUSIVE], digestAlgorithm });
      const location = { reference: `${xpath}/*[local-name()='Issuer']`, action: 'after' } as const;
      signer.computeSignature(xml, { location, prefix: 'ds' });
      return signer.getSignedXml();
    },
    response: (request, content) => responseXml(request, entityId, content),
  };
}

function assertion(said: AssertionContent): string {
  const inResponseTo = said.inResponseTo === null ? '' : ` InResponseTo="${said.inResponseTo}"`;
  const until = said.notOnOrAfter.toISOString();
  const email =
    said.email === null
      ? ''
      : `<saml:AttributeStatement><saml:Attribute Name="mail"><saml:AttributeValue>${said.email}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`;
  return [
    `<saml:Assertion xmlns:saml="${ASSERTION}" ID="${said.id}" Version="2.0" IssueInstant="${said.notBefore.toISOString()}">`,
    `<saml:Issuer>${said.issuer}</saml:Issuer>`,
    `<saml:Subject><saml:NameID Format="${said.nameIdFormat}">${said.nameId}</saml:NameID>`,
    '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">',
    `<saml:SubjectConfirmationData Recipient="${said.recipient}" NotOnOrAfter="${until}"${inResponseTo}/>`,
    '</saml:SubjectConfirmation></saml:Subject>',
    `<saml:Conditions NotBefore="${said.notBefore.toISOString()}" NotOnOrAfter="${until}">`,
    `<saml:AudienceRestriction><saml:Audience>${said.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${said.notBefore.toISOString()}"><saml:AuthnContext>`,
    '<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>',
    '</saml:AuthnContext></saml:AuthnStatement>',
    email,
    '</saml:Assertion>',
  ].join('');
}

const responseXml = (request: SamlRequest, issuer: string, content: string): string =>
  [
    `<samlp:Response xmlns:samlp="${PROTOCOL}" ID="_${randomUUID()}" Version="2.0" IssueInstant="${new Date().toISOString()}"`,
    ` Destination="${request.recipient}" InResponseTo="${request.id}">`,
    `<saml:Issuer xmlns:saml="${ASSERTION}">${issuer}</saml:Issuer>`,
    '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>',
    `${content}</samlp:Response>`,
  ].join('');

/**
 * Starts a provider for browsers. Its sign-in page signs everyone in as the user that `who` returns, and posts the response back
 * without a click. `url` is the entry point.
 */
export async function startSamlProvider(
  who: () => Pick<AssertionContent, 'nameId' | 'email'>,
): Promise<{ provider: SamlProvider; url: string; close: () => Promise<void> }> {
  const provider = samlProvider();
  const { url, close } = await listen((base) => (incoming, outgoing) => {
    const request = readRequest(new URL(incoming.url ?? '/', base).href);
    const said = provider.contentFor(request, who());
    const answer = provider.response(request, provider.sign(provider.assertion(said), said.id));
    const field = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}">`;
    const fields =
      field('SAMLResponse', Buffer.from(answer).toString('base64')) + field('RelayState', request.relayState);
    outgoing
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<title>Sign in</title><form method="post" action="${request.recipient}">${fields}</form><script>document.forms[0].submit()</script>`,
      );
  });
  return { provider, url: `${url}/sign-in`, close };
}
