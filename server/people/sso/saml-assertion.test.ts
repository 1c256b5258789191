import { expect, test } from 'vitest';
import { confirmationOf } from './saml-assertion.ts';

const NOW = new Date('2026-11-20T15:00:00Z');
const expected = { recipient: 'https://tidings.test/callback', requestId: '_request' };
const RIGHT = { Recipient: expected.recipient, InResponseTo: '_request', NotOnOrAfter: '2026-11-20T15:05:00Z' };
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

const confirmation = (data: object, Method = BEARER) => ({ $: { Method }, SubjectConfirmationData: [{ $: data }] });
const assertion = (...confirmations: object[]) => ({
  Assertion: {
    $: { ID: '_1' },
    Subject: [{ SubjectConfirmation: confirmations }],
    Conditions: [{ AudienceRestriction: [{}] }],
    AuthnStatement: [{}],
  },
});

test('one valid confirmation among others is enough', () => {
  const other = confirmation({ ...RIGHT, Recipient: 'https://elsewhere.test' });
  const { id, expiresAt } = confirmationOf(assertion(other, confirmation(RIGHT)), expected, NOW);
  expect([id, expiresAt.toISOString()]).toEqual(['_1', '2026-11-20T15:06:00.000Z']);
});

test.each<[string, object]>([
  ['another recipient', { ...RIGHT, Recipient: 'https://tidings.test/callback/' }],
  ['another request', { ...RIGHT, InResponseTo: '_other' }],
  ['no request', { Recipient: RIGHT.Recipient, NotOnOrAfter: RIGHT.NotOnOrAfter }],
  ['no end', { Recipient: RIGHT.Recipient, InResponseTo: '_request' }],
  ['an end that is not a date', { ...RIGHT, NotOnOrAfter: 'for ever' }],
  ['an end that has passed by more than the clock skew', { ...RIGHT, NotOnOrAfter: '2026-11-20T14:59:00Z' }],
])('a confirmation with %s is not for us', (_what, data) => {
  expect(() => confirmationOf(assertion(confirmation(data)), expected, NOW)).toThrow('NOT_FOR_US');
});

test('parts of several confirmations do not add up to a valid one', () => {
  const parts = [confirmation({ ...RIGHT, InResponseTo: '_other' }), confirmation({ ...RIGHT, Recipient: 'x' })];
  expect(() => confirmationOf(assertion(...parts), expected, NOW)).toThrow('NOT_FOR_US');
});

test('a holder-of-key confirmation is not for us', () => {
  const holder = confirmation(RIGHT, 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key');
  expect(() => confirmationOf(assertion(holder), expected, NOW)).toThrow('NOT_FOR_US');
});

test('an assertion without an audience or a sign-in is refused', () => {
  const { Assertion } = assertion(confirmation(RIGHT));
  for (const over of [{ Conditions: [{}] }, { AuthnStatement: [] }, { Subject: [] }, { $: {} }]) {
    const wrong = { Assertion: { ...Assertion, ...over } };
    expect(() => confirmationOf(wrong, expected, NOW)).toThrow('NO_ASSERTION');
  }
});
