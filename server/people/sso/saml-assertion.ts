import { z } from 'zod';
import { SsoRefusal } from './refusal.ts';

/** How far the identity provider's clock may be off, in milliseconds. */
export const CLOCK_SKEW = 60_000;

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** The signed element as xml2js parses it: attributes under `$`, children in arrays. */
const assertion = z.object({
  Assertion: z.object({
    $: z.object({ ID: z.string().min(1) }),
    Subject: z.array(z.object({ SubjectConfirmation: z.array(z.unknown()) })).length(1),
    Conditions: z.array(z.object({ AudienceRestriction: z.array(z.unknown()).min(1) })).length(1),
    AuthnStatement: z.array(z.unknown()).min(1),
  }),
});

const bearer = z.object({
  $: z.object({ Method: z.literal(BEARER) }),
  SubjectConfirmationData: z
    .array(z.object({ $: z.object({ Recipient: z.string(), NotOnOrAfter: z.string(), InResponseTo: z.string() }) }))
    .length(1),
});

/**
 * Returns the confirmation that lets the bearer of a signed assertion sign in here: for this recipient, in answer to this request, and not
 * expired (SAML profiles 2.0, 4.1.4.3). The library skips these checks when an attribute is missing, and never checks the recipient. Throws
 * NO_ASSERTION if the assertion is not one of a sign-in, NOT_FOR_US if no confirmation fits.
 */
export function confirmationOf(
  parsed: unknown,
  expected: { recipient: string; requestId: string },
  now: Date,
): { id: string; expiresAt: Date } {
  const read = assertion.safeParse(parsed);
  if (!read.success) throw new SsoRefusal('NO_ASSERTION');
  const { $, Subject } = read.data.Assertion;
  for (const each of Subject[0]?.SubjectConfirmation ?? []) {
    const data = bearer.safeParse(each).data?.SubjectConfirmationData[0]?.$;
    if (data?.Recipient !== expected.recipient || data.InResponseTo !== expected.requestId) continue;
    const expiresAt = new Date(Date.parse(data.NotOnOrAfter) + CLOCK_SKEW);
    if (expiresAt > now) return { id: $.ID, expiresAt };
  }
  throw new SsoRefusal('NOT_FOR_US');
}
