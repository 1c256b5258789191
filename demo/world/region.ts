import { FEEDS } from './feeds.ts';
import type { Region, WorldGroup, WorldOrganization, WorldTeam } from './region-types.ts';
import { TREATMENT_FACILITY } from './treatment.ts';
import { USERS } from './users.ts';

const ORGANIZATIONS: readonly WorldOrganization[] = [
  { key: 'alder-bay', name: 'Alder Bay Health' },
  { key: 'st-brendan', name: 'St. Brendan Health Network' },
  { key: 'oak-hollow-living', name: 'Oak Hollow Senior Living' },
  { key: 'lakeshore', name: 'Lakeshore Accountable Care' },
  { key: 'northern-pines', name: 'Northern Pines Health Plan' },
  { key: 'stillwater-recovery', name: 'Stillwater Recovery' },
];

const MICHIGAN = { state: 'MI', timeZone: 'America/New_York', city: 'Alder Bay', zip: '49981' } as const;
const WISCONSIN = { state: 'WI', timeZone: 'America/Chicago', city: 'Brendan Mills', zip: '54991' } as const;

function group(
  key: string,
  organization: string,
  name: string,
  kind: Pick<WorldGroup, 'type' | 'facilityType'>,
  place: typeof MICHIGAN | typeof WISCONSIN,
  rest: {
    line1: string;
    phone: string;
    isAutomated?: boolean;
    registrationIsVisit?: boolean;
    isPart2Facility?: boolean;
  },
): WorldGroup {
  return {
    key,
    organization,
    name,
    ...kind,
    state: place.state,
    timeZone: place.timeZone,
    address: { line1: rest.line1, city: place.city, state: place.state, zip: place.zip },
    phone: rest.phone,
    isAutomated: rest.isAutomated ?? false,
    registrationIsVisit: rest.registrationIsVisit ?? false,
    isPart2Facility: rest.isPart2Facility ?? false,
  };
}

const PROGRAM = { type: 'PROGRAM', facilityType: null } as const;
const HOSPITAL = { type: 'HOS', facilityType: 'HOS' } as const;
const NURSING = { type: 'SNF', facilityType: 'SNF' } as const;

const GROUPS: readonly WorldGroup[] = [
  group('mercy', 'alder-bay', 'Mercy General Hospital', HOSPITAL, MICHIGAN, {
    line1: '1 Beacon Hill Road',
    phone: '(200) 555-0190',
    isAutomated: true,
  }),
  group(
    'urgent-care',
    'alder-bay',
    'Alder Bay Urgent Care',
    { type: 'ADMITTING', facilityType: 'URGENT_CARE' },
    MICHIGAN,
    {
      line1: '400 Wharf Street',
      phone: '(200) 555-0191',
      isAutomated: true,
      registrationIsVisit: true,
    },
  ),
  group('brendan', 'st-brendan', 'St. Brendan Medical Center', HOSPITAL, WISCONSIN, {
    line1: '77 Ship Street',
    phone: '(201) 555-0192',
    isAutomated: true,
    registrationIsVisit: true,
  }),
  group('harborview', 'st-brendan', 'Harborview Primary Care', PROGRAM, WISCONSIN, {
    line1: '12 Harbor View Drive',
    phone: '(201) 555-0193',
  }),
  group('oak-hollow', 'oak-hollow-living', 'Oak Hollow SNF', NURSING, MICHIGAN, {
    line1: '88 Old Orchard Road',
    phone: '(200) 555-0194',
    isAutomated: true,
  }),
  group('willow-bend', 'oak-hollow-living', 'Willow Bend Care Center', NURSING, WISCONSIN, {
    line1: '5 Willow Lane',
    phone: '(201) 555-0195',
  }),
  group('lakeshore-aco', 'lakeshore', 'Lakeshore ACO', PROGRAM, MICHIGAN, {
    line1: '900 Lighthouse Road',
    phone: '(200) 555-0196',
  }),
  group('tamarack', 'lakeshore', 'Tamarack Home Health', { type: 'ADMITTING', facilityType: 'HHA' }, WISCONSIN, {
    line1: '31 Tamarack Trail',
    phone: '(201) 555-0197',
    isAutomated: true,
  }),
  group('pines-plan', 'northern-pines', 'Northern Pines Care Management', PROGRAM, MICHIGAN, {
    line1: '2 Foundry Street',
    phone: '(200) 555-0198',
  }),
  group(TREATMENT_FACILITY, 'stillwater-recovery', 'Stillwater Recovery Center', HOSPITAL, MICHIGAN, {
    line1: '60 Mill Pond Lane',
    phone: '(200) 555-0199',
    isAutomated: true,
    registrationIsVisit: true,
    isPart2Facility: true,
  }),
];

/** Two teams share Lakeshore ACO, and two share Mercy General. Four teams serve several groups. */
const TEAMS: readonly WorldTeam[] = [
  {
    key: 'aco-coordination',
    organization: 'lakeshore',
    name: 'ACO Care Coordination',
    abbreviation: 'ACC',
    groups: ['lakeshore-aco'],
  },
  {
    key: 'aco-transitions',
    organization: 'lakeshore',
    name: 'Transitions of Care',
    abbreviation: 'TOC',
    groups: ['lakeshore-aco', 'tamarack'],
  },
  {
    key: 'mercy-case',
    organization: 'alder-bay',
    name: 'Mercy Case Management',
    abbreviation: 'MCM',
    groups: ['mercy'],
  },
  {
    key: 'mercy-navigators',
    organization: 'alder-bay',
    name: 'Alder Bay Navigators',
    abbreviation: 'ABN',
    groups: ['mercy', 'urgent-care'],
  },
  {
    key: 'brendan-care',
    organization: 'st-brendan',
    name: 'St. Brendan Case Management',
    abbreviation: 'SBC',
    groups: ['brendan'],
  },
  {
    key: 'harborview-care',
    organization: 'st-brendan',
    name: 'Harborview Care Team',
    abbreviation: 'HCT',
    groups: ['harborview', 'brendan'],
  },
  {
    key: 'oak-hollow-nursing',
    organization: 'oak-hollow-living',
    name: 'Oak Hollow Nursing',
    abbreviation: 'OHN',
    groups: ['oak-hollow', 'willow-bend'],
  },
  {
    key: 'pines-management',
    organization: 'northern-pines',
    name: 'Pines Care Management',
    abbreviation: 'PCM',
    groups: ['pines-plan'],
  },
  {
    key: 'stillwater-care',
    organization: 'stillwater-recovery',
    name: 'Stillwater Care Team',
    abbreviation: 'SCT',
    groups: [TREATMENT_FACILITY],
  },
];

/** Returns the Alder Bay region: six organizations, groups of all four types, teams, users with every experience and role, and feeds. */
export function makeRegion(): Region {
  return {
    name: 'Alder Bay region',
    organizations: [...ORGANIZATIONS],
    groups: [...GROUPS],
    teams: [...TEAMS],
    users: [...USERS],
    feeds: [...FEEDS],
  };
}

/** Returns the group with that key. Throws if there is none, which is a bug in the generator. */
export function groupOf(region: Region, key: string): WorldGroup {
  const found = region.groups.find((candidate) => candidate.key === key);
  if (!found) throw new Error(`The region has no group ${key}.`);
  return found;
}
