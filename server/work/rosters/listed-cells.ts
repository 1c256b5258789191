/** A listing in the form of a file's row. */
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
