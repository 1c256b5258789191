import { expect, test } from 'vitest';
import { type SamlRequest, samlProvider } from '#server/testing/saml-provider.ts';
import { SamlChecker } from './saml-checker.ts';
import type { SamlQuestion } from './saml-response.ts';
import { MOST_DEPTH } from './xml-limits.ts';

const provider = samlProvider();
const request: SamlRequest = {
  id: '_request',
  relayState: 'state',
  audience: 'https://tidings.test/metadata',
  recipient: 'https://tidings.test/callback',
};

/** As our side asks about a response. */
const about = (xml: string): SamlQuestion => ({
  samlResponse: Buffer.from(xml).toString('base64'),
  issuer: provider.entityId,
  now: Date.now(),
  entityId: request.audience,
  callbackUrl: request.recipient,
  entryPoint: null,
  certificates: [provider.certificate],
  requestId: request.id,
});

function honest(subject = 'n-1', inside = ''): string {
  const said = provider.contentFor(request, { nameId: subject });
  const assertion = provider.assertion(said).replace('</saml:Assertion>', `${inside}</saml:Assertion>`);
  return provider.response(request, provider.sign(assertion, said.id));
}

/** Much work for a parser, within the limits. */
const costly = (): string =>
  honest('n-2').replace('</saml:Assertion>', `${'<b c="d"></b>'.repeat(700)}</saml:Assertion>`);

test('a response with hundreds of groups is accepted', async () => {
  const value =
    '<saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">Care Team</saml:AttributeValue>';
  const groups = `<saml:AttributeStatement><saml:Attribute Name="groups">${value.repeat(600)}</saml:Attribute></saml:AttributeStatement>`;
  expect(await new SamlChecker().check(about(honest('n-1', groups)), '10.0.0.1')).toMatchObject({ subject: 'n-1' });
});

test('the name comes from the usual attributes, without control characters', async () => {
  const attribute = (name: string, value: string) =>
    `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`;
  const names = attribute('urn:oid:2.5.4.42', ' &#8238;Ada') + attribute('sn', 'Lovelace');
  const xml = honest('n-1', `<saml:AttributeStatement>${names}</saml:AttributeStatement>`);
  expect(await new SamlChecker().check(about(xml), '10.0.0.1')).toMatchObject({
    name: { firstName: 'Ada', lastName: 'Lovelace' },
  });
});

test('a response that takes too long is refused, and the next one is checked', async () => {
  const checker = new SamlChecker({ timeLimit: 1 });
  const slow = Array.from({ length: 2 }, () => checker.check(about(costly()), '10.0.0.1'));
  const outcomes = await Promise.allSettled(slow);
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual([
    'TOO_COSTLY',
    'TOO_COSTLY',
  ]);
});

test('the server goes on while a response is checked', async () => {
  const checker = new SamlChecker();
  const check = checker.check(about(costly()), '10.0.0.1').catch((error: { code: string }) => error.code);
  let turns = 0;
  const turning = setInterval(() => (turns += 1), 1);
  expect(await check).toBe('RESPONSE_INVALID');
  clearInterval(turning);
  expect(turns).toBeGreaterThan(10);
});

test('a flood from one address waits for the others, and only so much of it', async () => {
  const checker = new SamlChecker();
  const order: string[] = [];
  const ask = (address: string) =>
    checker.check(about(honest(address)), address).then(
      ({ subject }) => void order.push(subject),
      ({ code }: { code: string }) => void order.push(code),
    );
  const flood = Array.from({ length: 40 }, () => ask('10.0.0.66'));
  await Promise.all([...flood, ask('10.0.0.1'), ask('10.0.0.2')]);
  expect(order.filter((each) => each === 'BUSY')).toHaveLength(19);
  const served = order.filter((each) => each !== 'BUSY');
  expect(served.indexOf('10.0.0.1')).toBeLessThanOrEqual(2);
  expect(served.indexOf('10.0.0.2')).toBeLessThanOrEqual(3);
});

test('a refusal carries its code, and where in the library it arose, but no text of the response', async () => {
  const refused = await new SamlChecker()
    .check(about(honest().replace('n-1', 'Rosa Diaz')), '10.0.0.1')
    .catch((error: Error) => error);
  expect(refused).toMatchObject({ code: 'RESPONSE_INVALID' });
  expect((refused as Error).stack).toContain('node-saml');
  expect((refused as Error).stack).not.toContain('Rosa');
});

test('XML beyond the limits does not reach the thread', async () => {
  const xml = '<a>'.repeat(MOST_DEPTH + 1) + '</a>'.repeat(MOST_DEPTH + 1);
  await expect(new SamlChecker().check(about(xml), '10.0.0.1')).rejects.toMatchObject({ code: 'OVERSIZED' });
});
