import { z } from 'zod';
import { SsoRefusal } from './refusal.ts';

/** How far the other side's clock may be off, in milliseconds. */
export const CLOCK_SKEW = 60_000;

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** As xml2js gives the signed element: attributes under `$`, children in lists. */
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
 * The confirmation by which the bearer of a signed assertion may be signed in here: for this address, in answer to this request, until
 * a time that has not passed (SAML profiles 2.0, 4.1.4.3). The library checks none of that where an attribute is left out, and the recipient
 * never. Throws NO_ASSERTION where it is none of a sign-in, NOT_FOR_US where no confirmation fits.
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
