/** The attacks that the product must survive, by door, each with the tests that make it. `npm run test:attacks` runs them all. */

export interface Attack {
  door: string;
  attack: string;
  /** Paths from the root. */
  files: readonly string[];
}

const attacks = (door: string, ...rows: [attack: string, ...files: string[]][]): Attack[] =>
  rows.map(([attack, ...files]) => ({ door, attack, files }));

export const ATTACKS: readonly Attack[] = [
  ...attacks(
    'Messages',
    [
      'Names, emails and numbers that backtracking expressions choke on',
      'server/record/scoring/hostile-values.test.ts',
    ],
    ['Hostile values in every field of a message', 'server/hostile-messages.db.test.ts'],
    [
      'A message that fails or kills its process',
      'server/intake/messages/failures.db.test.ts',
      'server/intake/messages/kill.db.test.ts',
    ],
  ),
  ...attacks('MLLP', [
    'Frames too long, too many, unfinished or not frames',
    'server/intake/mllp/mllp.db.test.ts',
    'server/intake/hl7/frame.test.ts',
  ]),
  ...attacks(
    'Calls',
    ['Hostile values in every field of every call', 'server/hostile-requests.db.test.ts'],
    ['Every route × role × team', 'server/people/access/gate.db.test.ts'],
  ),
  ...attacks('Rosters', [
    'Files that cannot be read',
    'server/work/rosters/parse.test.ts',
    'server/work/rosters/upload.db.test.ts',
  ]),
  ...attacks(
    'Sign-in',
    [
      'Guessing passwords and codes',
      'server/people/accounts/sign-in/guessing-flood.db.test.ts',
      'server/people/accounts/sign-in/lockout.db.test.ts',
      'server/people/accounts/second-factor/second-factor.db.test.ts',
    ],
    ['Finding out who has an account', 'server/people/accounts/sign-in/refused-sign-in.db.test.ts'],
  ),
  ...attacks(
    'Single sign-on',
    ['OpenID Connect', 'server/people/sso/oidc.db.test.ts'],
    [
      'SAML',
      'server/people/sso/saml.db.test.ts',
      'server/people/sso/saml-assertion.test.ts',
      'server/people/sso/xml-limits.test.ts',
    ],
    ['EHR launch and frames', 'server/people/sso/ehr.db.test.ts', 'server/people/sso/ehr-frame.db.test.ts'],
  ),
  ...attacks(
    'Patient data',
    [
      'Ids of other teams, and policy against SQL',
      'server/people/access/door.db.test.ts',
      'server/people/access/policy.db.test.ts',
      'server/people/access/patient.db.test.ts',
      'server/work/search/access-scope.db.test.ts',
    ],
    ['Database roles without an actor', 'server/platform/database/roles.db.test.ts'],
  ),
  ...attacks('Administration', [
    'Taking and giving permissions',
    'server/people/admin/administration.property.db.test.ts',
    'server/people/admin/users/last-administrator.db.test.ts',
  ]),
];
