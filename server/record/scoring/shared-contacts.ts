/** Phones, emails, member IDs and addresses that people have in common, and which of them do not count because many people share them. */
import type { NormalizedDemographics } from './demographics.ts';

/** Whether the two have a phone, an email or a member ID in common. */
export const hasSameContact = (a: NormalizedDemographics, b: NormalizedDemographics): boolean =>
  (a.email !== null && a.email === b.email) ||
  a.phones.some((phone) => b.phones.includes(phone)) ||
  a.memberKeys.some((key) => b.memberKeys.includes(key));

/** A phone or email that this many candidates share belongs to a switchboard or an office, and does not identify a person. */
export const SHARED_CONTACT_PERSONS = 5;
/** An address that this many candidates share is a shelter's, a nursing home's or a hospital's. */
export const SHARED_ADDRESS_PERSONS = 10;

/** Returns the subject without phones, an email and an address that many people share, which would make strangers agree. */
export function withoutSharedContacts(
  subject: NormalizedDemographics,
  people: readonly { records: readonly NormalizedDemographics[] }[],
): NormalizedDemographics {
  const isShared = (has: (record: NormalizedDemographics) => boolean, most = SHARED_CONTACT_PERSONS): boolean => {
    let owners = 0;
    for (const { records } of people) if (records.some(has) && ++owners >= most) return true;
    return false;
  };
  const { street, zip, unit, email } = subject;
  const isHome = (record: NormalizedDemographics): boolean =>
    record.street === street && record.zip === zip && record.unit === unit;
  const isInstitution = street !== null && zip !== null && isShared(isHome, SHARED_ADDRESS_PERSONS);
  const phones = subject.phones.filter((phone) => !isShared((record) => record.phones.includes(phone)));
  const isOffice = email !== null && isShared((record) => record.email === email);
  if (!isInstitution && !isOffice && phones.length === subject.phones.length) return subject;
  return {
    ...subject,
    ...(isInstitution && { street: null, houseNumber: null, streetWords: '', streetName: '', unit: null }),
    phones,
    email: isOffice ? null : email,
  };
}
