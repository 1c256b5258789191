import { SETTING_LABELS } from '#contract/event-codes.ts';
import { FACILITY_TYPE_LABELS, GROUP_TYPE_LABELS } from '#contract/groups.ts';
import { DESTINATION_LABELS } from '#contract/hl7-program-words.ts';
import { ZONE_WORDS } from '../../forms/zone-choices.ts';
import { type Directory, nameOf } from '../directory/use-directory.ts';
import { EXPERIENCE_LABELS } from '../labels.ts';
import { settingParts } from './setting-words.ts';

/** Fields and settings, as a line of the audit log begins. */
export const FIELD_WORDS: Record<string, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  title: 'Title',
  applicationExperience: 'Experience',
  name: 'Name',
  abbreviation: 'Abbreviation',
  type: 'Type',
  facilityType: 'Facility type',
  state: 'State',
  timeZone: 'Time zone',
  address: 'Address',
  isAutomated: 'Visits come by live feed',
  isPart2Facility: '42 CFR Part 2',
  allowsEmergencyAccess: 'Emergency access',
  risingRisk: 'Rising-risk rule',
  holidays: 'Holidays',
  embeddedSpotlights: 'Embedded spotlights',
  pulse: 'WISHIN Pulse',
  vynca: 'Vynca',
  sendingApplication: 'Sending application',
  sendingFacility: 'Sending facility',
  isBackfill: 'Historical feed',
  facilities: 'Facilities',
  'settings.timeZone': 'Time zone',
  'settings.dateOrder': 'Order of month and day',
  'settings.classMap': 'Settings by patient class',
  'settings.observationCodes': 'Observation codes',
  'settings.dispositionMap': 'Discharge dispositions',
  'settings.locationMap': 'Units',
  'settings.recordNumber': 'Record number',
  'settings.testProcessingIds': 'Test messages',
  requiresSecondFactor: 'Two-step verification for everyone',
  requiresSso: 'Single sign-on only',
  sessionHours: 'Hours until a session ends',
  inactivityMinutes: 'Minutes without activity until a session ends',
  kind: 'Kind',
  isEnabled: 'Turned on',
  domains: 'Email domains',
  issuer: 'Issuer',
  clientId: 'Client ID',
  clientSecret: 'Client secret',
  entryPoint: 'Sign-in URL',
  allowedOrigins: 'Allowed origins',
  certificates: 'Certificates',
  hl7BasedProgramName: 'Name',
  admittingFacilityName: 'Admitting facility',
  admittingFacilityType: 'Facility type',
  diagnosesDefinition: 'Diagnoses',
  drgCodes: 'DRG codes',
  payer: 'Payer',
  dischargeSetting: 'Discharge setting',
  dischargedTo: 'Discharged to',
  validityPeriod: 'Validity period in days',
};

const WORDS: Record<string, Readonly<Record<string, string>>> = {
  type: GROUP_TYPE_LABELS,
  facilityType: FACILITY_TYPE_LABELS,
  applicationExperience: EXPERIENCE_LABELS,
  timeZone: ZONE_WORDS,
  admittingFacilityType: FACILITY_TYPE_LABELS,
  dischargeSetting: SETTING_LABELS,
  dischargedTo: DESTINATION_LABELS,
  'settings.timeZone': ZONE_WORDS,
  'settings.dateOrder': { MDY: 'month first', DMY: 'day first' },
};
/** Of longer values, such as tables of codes, only what was added and removed is printed, and of certificates nothing. */
const LONGEST = 120;
/** Settings of which null means the product's own. */
const HAS_DEFAULT = (field: string): boolean => field.startsWith('settings.') || field === 'risingRisk';

/** Returns a line for each value that changed: 'Time zone: New York → Chicago'. */
export function valueChanges(changes: unknown, secrets: unknown, directory: Directory): string[] {
  const values = Object.entries((changes ?? {}) as Record<string, [unknown, unknown]>).map(([field, [was, is]]) => {
    return `${FIELD_WORDS[field] ?? field}: ${changeWords(partsOf(field, was, directory), partsOf(field, is, directory))}`;
  });
  const hidden = Array.isArray(secrets)
    ? secrets.map((field) => `${FIELD_WORDS[String(field)] ?? field}: changed`)
    : [];
  return [...values, ...hidden];
}

/** 'none → 4 Alder Lane'; of long lists 'added I50, removed I51'. */
function changeWords(was: readonly string[], is: readonly string[]): string {
  const [before, after] = [was.join(', ') || 'none', is.join(', ') || 'none'];
  if (before === after) return 'changed';
  if (before.length <= LONGEST && after.length <= LONGEST) return `${before} → ${after}`;
  const difference = [
    ['added', is.filter((part) => !was.includes(part))] as const,
    ['removed', was.filter((part) => !is.includes(part))] as const,
  ].filter(([, parts]) => parts.length > 0);
  const isReadable =
    difference.length > 0 && difference.every(([, parts]) => parts.every(({ length }) => length <= LONGEST));
  return isReadable ? difference.map(([what, parts]) => `${what} ${parts.join(', ')}`).join('; ') : 'changed';
}

function partsOf(field: string, value: unknown, directory: Directory): string[] {
  if (value === undefined || value === null || value === '') return [HAS_DEFAULT(field) ? 'default' : 'none'];
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  if (field === 'facilities' && Array.isArray(value)) return facilitiesOf(value, directory);
  if (field === 'diagnosesDefinition') return diagnosesIn(value as Diagnoses);
  if (typeof value === 'object') return settingParts(field, value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [WORDS[field]?.[text] ?? text];
}

interface Diagnoses {
  codes: readonly string[];
  principalOnly: boolean;
}
const diagnosesIn = ({ codes, principalOnly }: Diagnoses): string[] => [
  ...codes,
  ...(principalOnly ? ['principal only'] : []),
];

const facilitiesOf = (facilities: { identifier: string; groupId: string }[], { groups }: Directory): string[] =>
  facilities.map(({ identifier, groupId }) => `${identifier} (${nameOf(groups, groupId)})`);
