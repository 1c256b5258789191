import type { Setting } from '#contract/event-codes.ts';
import type { ApplicationExperience } from '#contract/experiences.ts';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import type { Permission } from '#contract/permissions.ts';
import type { Zone } from './clock.ts';

export interface WorldOrganization {
  key: string;
  name: string;
}

export interface WorldGroup {
  key: string;
  organization: string;
  name: string;
  type: GroupType;
  /** Null for programs. */
  facilityType: FacilityType | null;
  state: string;
  timeZone: Zone;
  address: { line1: string; city: string; state: string; zip: string };
  phone: string;
  /** Fed by a live feed. Otherwise its staff enter stays by hand. */
  isAutomated: boolean;
  /** An outpatient registration is a VISIT. Otherwise it is silent. */
  registrationIsVisit: boolean;
  /** Under 42 CFR Part 2: what it reports is disclosed with the patient's consent only. */
  isPart2Facility: boolean;
}

export interface WorldTeam {
  key: string;
  organization: string;
  name: string;
  abbreviation: string;
  groups: string[];
}

export type DemoRole = 'administrator' | 'care coordinator' | 'clinician' | 'analyst' | 'viewer';

export interface WorldUser {
  key: string;
  email: string;
  firstName: string;
  lastName: string;
  title: string;
  experience: ApplicationExperience;
  timeZone: Zone;
  /** The first one is the default team. */
  grants: { team: string; role: DemoRole; added: Permission[] }[];
  primaryClinicalSetting: 'ED' | 'INPATIENT' | 'ED_AND_INPATIENT' | 'OUTPATIENT' | null;
  /** Offered on the sign-in page. */
  isShownOnStart: boolean;
  /** Approves the senders of feeds, in every organization. */
  isOperator: boolean;
}

/** How a sender writes HL7 v2. */
export interface Dialect {
  version: '2.3' | '2.4' | '2.5.1';
  sendsSeconds: boolean;
  sendsOffset: boolean;
  /** MSH-18, and the encoding of the bytes; '' leaves MSH-18 out and sends UTF-8. */
  characterSet: 'UNICODE UTF-8' | '8859/1' | '';
  upperCaseNames: boolean;
  /** Sends EVN-6. Otherwise only EVN-2 dates an event. */
  sendsOccurred: boolean;
  /** The field with the visit number. */
  visitKey: 'PV1-19' | 'PID-18';
  /** How observation is coded: a class of its own, or class O with PV1-18. */
  observation: 'class OBV' | 'PV1-18 OBS';
  /** The field with the expected discharge (a date) or the expected length of stay (days). */
  expected: 'PV2-9' | 'PV2-10';
  zSegment: 'ZPD' | 'ZVN' | null;
}

export interface WorldFeed {
  key: string;
  name: string;
  /** MSH-3 */
  sendingApplication: string;
  timeZone: Zone;
  /** MSH-4 and PV1-3.4 → group key. */
  facilities: Record<string, string>;
  /** First match wins; `patientType` is PV1-18. */
  classMap: { patientClass: string; patientType?: string; setting: Setting }[];
  /** PV1-36 as this sender writes it → UB-04 code. */
  dispositionMap: Record<string, string>;
  dialect: Dialect;
}

export interface Region {
  name: string;
  organizations: WorldOrganization[];
  groups: WorldGroup[];
  teams: WorldTeam[];
  users: WorldUser[];
  feeds: WorldFeed[];
}
