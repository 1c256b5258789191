/** A listing in the form of a file's row. */
import type { RosterSample } from '#contract/rosters.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** The columns of a listing `p` whose cells may be skipped, as the cells of a row. */
export const LISTED = sql`jsonb_build_object('gender', p.gender, 'address1', p.address1, 'address2', p.address2,
  'address3', p.address3, 'city', p.city, 'state', p.state,
  'zip', p.zip, 'homePhone', p.home_phone, 'mobilePhone', p.mobile_phone, 'ssnLast4', p.ssn_last4, 'medicareId', p.medicare_id,
  'program', p.programs, 'practice', p.practices, 'providerFirstName', p.provider_first_name, 'providerLastName', p.provider_last_name,
  'providerNpi', p.provider_npi, 'providerTitle', p.provider_title, 'providerType', p.provider_type, 'providerPhone', p.provider_phone,
  'providerFax', p.provider_fax, 'providerEmail', p.provider_email, 'providerDirectMessage', p.provider_direct_message,
  'careCoordinators', p.care_coordinators, 'careCoordinatorTitles', p.care_coordinator_titles,
  'careCoordinatorPhones', p.care_coordinator_phones, 'careCoordinatorFaxes', p.care_coordinator_faxes,
  'careCoordinatorEmails', p.care_coordinator_emails, 'careCoordinatorEventTypes', p.care_coordinator_event_types, 'insurance', p.insurance, 'tags', p.tags,
  'careGaps', p.care_gaps, 'advanceCareDocuments', p.advance_care_documents, 'currentlyBillingAgencies', p.billing_agencies)`;

/** All columns of a listing `p`, as the cells of a row. */
export const LISTED_ROW = sql`(${LISTED} || jsonb_build_object('firstName', p.first_name, 'middleName', p.middle_name,
  'lastName', p.last_name, 'nameSuffix', p.name_suffix, 'dateOfBirth', p.date_of_birth, 'sortFirst', p.sort_first, 'sortLast', p.sort_last,
  'soundLast', p.sound_last))`;

/** Returns how many people of a group's list have a value, by each column that isn't required. */
export async function listedByColumn(tx: Queryable, groupId: string): Promise<RosterSample['listed']> {
  const { rows } = await tx.query<{ listed: RosterSample['listed'] }>(sql`
    select jsonb_build_object('middleName', count(middle_name), 'nameSuffix', count(name_suffix), 'gender', count(nullif(gender, 'Unknown')), 'address1', count(address1),
      'address2', count(address2), 'address3', count(address3), 'city', count(city), 'state', count(state), 'zip', count(zip),
      'homePhone', count(home_phone), 'mobilePhone', count(mobile_phone), 'ssnLast4', count(ssn_last4), 'medicareId', count(medicare_id),
      'program', count(nullif(programs, '{}')), 'practice', count(nullif(practices, '{}')), 'providerFirstName', count(provider_first_name),
      'providerLastName', count(provider_last_name), 'providerNpi', count(provider_npi), 'providerTitle', count(provider_title),
      'providerType', count(provider_type), 'providerPhone', count(provider_phone), 'providerFax', count(provider_fax),
      'providerEmail', count(provider_email), 'providerDirectMessage', count(provider_direct_message),
      'careCoordinators', count(nullif(care_coordinators, '{}')), 'careCoordinatorTitles', count(nullif(care_coordinator_titles, '{}')),
      'careCoordinatorPhones', count(nullif(care_coordinator_phones, '{}')), 'careCoordinatorFaxes', count(nullif(care_coordinator_faxes, '{}')),
      'careCoordinatorEmails', count(nullif(care_coordinator_emails, '{}')),
      'careCoordinatorEventTypes', count(nullif(care_coordinator_event_types, '{}')), 'insurance', count(nullif(insurance, '{}')),
      'tags', count(nullif(tags, '{}')), 'careGaps', count(nullif(care_gaps, '{}')),
      'advanceCareDocuments', count(nullif(advance_care_documents, '{}')), 'currentlyBillingAgencies', count(nullif(billing_agencies, '{}'))) as listed
    from roster_patients where group_id = ${groupId} and left_at is null`);
  return rows[0]?.listed ?? {};
}
