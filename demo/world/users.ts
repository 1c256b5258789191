import type { ApplicationExperience } from '#contract/experiences.ts';
import type { Permission } from '#contract/permissions.ts';
import type { Zone } from './clock.ts';
import type { DemoRole, WorldUser } from './region-types.ts';

/** The password of all demo accounts. */
export const DEMO_PASSWORD = 'tidings-demo';

const EASTERN: Zone = 'America/New_York';
const CENTRAL: Zone = 'America/Chicago';

function user(
  name: string,
  title: string,
  experience: ApplicationExperience,
  domain: string,
  timeZone: Zone,
  grants: [team: string, role: DemoRole][],
  more: Partial<Pick<WorldUser, 'primaryClinicalSetting' | 'isShownOnStart' | 'isOperator'>> & {
    added?: Permission[];
  } = {},
): WorldUser {
  const [firstName = '', lastName = ''] = name.split(' ');
  const key = `${firstName}.${lastName}`.toLowerCase();
  return {
    key,
    email: `${key}@${domain}.example`,
    firstName,
    lastName,
    title,
    experience,
    timeZone,
    grants: grants.map(([team, role]) => ({ team, role, added: more.added ?? [] })),
    primaryClinicalSetting: more.primaryClinicalSetting ?? null,
    isShownOnStart: more.isShownOnStart ?? false,
    isOperator: more.isOperator ?? false,
  };
}

/** Users with every experience and every role. */
export const USERS: readonly WorldUser[] = [
  user(
    'Rosa Lindgren',
    'Care Coordinator',
    'JANUS',
    'lakeshore',
    EASTERN,
    [
      ['aco-coordination', 'care coordinator'],
      ['aco-transitions', 'care coordinator'],
    ],
    { isShownOnStart: true, added: ['canUseWishinPulse'] },
  ),
  user(
    'Desmond Achterberg',
    'Director of Care Management',
    'JANUS',
    'lakeshore',
    EASTERN,
    [
      ['aco-coordination', 'administrator'],
      ['aco-transitions', 'administrator'],
    ],
    { isShownOnStart: true, added: ['canUseWishinPulse'] },
  ),
  user('Imani Ferris', 'Transitions Nurse', 'JANUS', 'lakeshore', CENTRAL, [['aco-transitions', 'clinician']]),
  user('Pavel Strand', 'Data Analyst', 'JANUS_ENTERPRISE_SSO', 'lakeshore', EASTERN, [['aco-coordination', 'analyst']]),
  user('Yuki Marsh', 'Intake Observer', 'JANUS_AUTH0_SSO', 'lakeshore', CENTRAL, [['aco-coordination', 'viewer']]),
  user('Grace Tunstall', 'Hospital Case Manager', 'ANAHIT', 'alderbay', EASTERN, [['mercy-case', 'care coordinator']], {
    primaryClinicalSetting: 'ED_AND_INPATIENT',
    isShownOnStart: true,
  }),
  user(
    'Olu Bergstrom',
    'Emergency Physician',
    'ANAHIT_ENTERPRISE_SSO',
    'alderbay',
    EASTERN,
    [['mercy-navigators', 'clinician']],
    { primaryClinicalSetting: 'ED' },
  ),
  user(
    'Hedda Quill',
    'Hospital Administrator',
    'ANAHIT',
    'alderbay',
    EASTERN,
    [
      ['mercy-case', 'administrator'],
      ['mercy-navigators', 'administrator'],
    ],
    { primaryClinicalSetting: 'INPATIENT' },
  ),
  user('Tomas Wren', 'Case Manager', 'ANAHIT_AUTH0_SSO', 'stbrendan', CENTRAL, [['brendan-care', 'care coordinator']]),
  user('Nell Vantongeren', 'Hospitalist', 'HOS_EHR_SSO', 'stbrendan', CENTRAL, [['brendan-care', 'clinician']]),
  user('Siobhan Ames', 'Practice Nurse', 'JANUS_EHR_SSO', 'stbrendan', CENTRAL, [['harborview-care', 'clinician']]),
  user('Marisol Dean', 'Practice Manager', 'JANUS', 'stbrendan', CENTRAL, [
    ['harborview-care', 'administrator'],
    ['brendan-care', 'administrator'],
  ]),
  user('Walt Kimura', 'Director of Nursing', 'JANUS', 'oakhollow', EASTERN, [['oak-hollow-nursing', 'administrator']], {
    isShownOnStart: true,
  }),
  user('Bettina Rowe', 'Admissions Nurse', 'JANUS', 'oakhollow', CENTRAL, [['oak-hollow-nursing', 'care coordinator']]),
  user(
    'Ansel Okoro',
    'Plan Care Manager',
    'JANUS',
    'northernpines',
    EASTERN,
    [['pines-management', 'care coordinator']],
    {
      isShownOnStart: true,
    },
  ),
  user('Farah Lyle', 'Plan Administrator', 'JANUS', 'northernpines', EASTERN, [['pines-management', 'administrator']]),
  user('Cosmo Delgado', 'Quality Analyst', 'JANUS', 'northernpines', EASTERN, [['pines-management', 'analyst']]),
  user(
    'Noor Castellane',
    'Intake Counselor',
    'ANAHIT',
    'stillwater',
    EASTERN,
    [['stillwater-care', 'care coordinator']],
    { primaryClinicalSetting: 'INPATIENT', isShownOnStart: true },
  ),
  user('Emeka Thorne', 'Program Director', 'ANAHIT', 'stillwater', EASTERN, [['stillwater-care', 'administrator']], {
    primaryClinicalSetting: 'INPATIENT',
  }),
  user(
    'Odile Ferrante',
    'Installation Operator',
    'JANUS',
    'lakeshore',
    EASTERN,
    [['aco-coordination', 'administrator']],
    { isOperator: true, isShownOnStart: true },
  ),
];
