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
      'scripts/expressions/expressions.test.ts',
    ],
    [
      'Hostile values in every field, and fields without an end',
      'server/hostile-messages.db.test.ts',
      'server/intake/messages/hostile.db.test.ts',
      'server/intake/hl7/field-limits.test.ts',
    ],
    [
      'Messages and previews that never end, fail, or kill their process',
      'server/intake/messages/queue-thread.db.test.ts',
      'server/intake/messages/preview-thread.db.test.ts',
      'server/intake/messages/failures.db.test.ts',
      'server/intake/messages/kill.db.test.ts',
    ],
    [
      'One sender that keeps the queue busy, and hundreds of patients who are alike',
      'server/intake/messages/turns-of-senders.db.test.ts',
      'server/record/matching/crowds.db.test.ts',
      'server/record/scoring/decide.test.ts',
    ],
    ['A sender that no operator has approved', 'server/intake/feeds/approve-feeds.db.test.ts'],
  ),
  ...attacks(
    'MLLP',
    [
      'Frames too long, too many, unfinished or not frames',
      'server/intake/mllp/hostile.db.test.ts',
      'server/intake/mllp/frame-memory.test.ts',
      'server/intake/hl7/frame.test.ts',
      'server/intake/hl7/batch.test.ts',
    ],
    [
      'One address that takes all connections',
      'server/intake/mllp/seats.test.ts',
      'server/platform/network/sender-address.test.ts',
      'server/intake/mllp/known-senders.db.test.ts',
      'server/intake/messages/message-store.db.test.ts',
    ],
  ),
  ...attacks(
    'Calls',
    ['Guesses, replays and floods with a link for a facility', 'server/work/facility-links/attacks.db.test.ts'],
    ['Every route × role × team', 'server/people/access/gate.db.test.ts'],
    [
      'Hostile values in every field of every call',
      'server/hostile-requests.db.test.ts',
      'server/platform/http/plain-input.test.ts',
      'scripts/string-limits.test.ts',
    ],
    [
      'One user who calls without an end',
      'server/people/access/user-limits.db.test.ts',
      'server/platform/database/timeouts.db.test.ts',
      'server/platform/database/turns.test.ts',
      'server/work/live/live.db.test.ts',
    ],
    [
      'Connections without an end, answers that are not read, sessions that do not exist',
      'server/platform/http/connections.test.ts',
      'server/people/access/session-look-ups.db.test.ts',
    ],
    ['One visit with impossible values, against everyone else’s lists', 'server/work/search/freshness.db.test.ts'],
    [
      'Foreign pages, unknown paths, inline styles, bodies of hundreds of thousands of values',
      'server/http.db.test.ts',
      'server/platform/http/same-origin.test.ts',
    ],
  ),
  ...attacks(
    'Rosters',
    [
      'Files that cannot be read, or never arrive',
      'server/work/rosters/parse.test.ts',
      'server/work/rosters/upload.db.test.ts',
      'server/work/rosters/receiving.db.test.ts',
      'server/work/rosters/stopped.db.test.ts',
    ],
    [
      "A stranger's record through a roster, a form, a review or guessed digits",
      'server/work/rosters/trust.db.test.ts',
      'server/work/rosters/opens-from.db.test.ts',
      'server/record/listings/openings.db.test.ts',
    ],
    [
      "A facility that an administrator makes up, and one organization's guesses at many",
      'server/work/patients/facility-approval.db.test.ts',
    ],
  ),
  ...attacks(
    'Sign-in',
    [
      'Guessing passwords and codes',
      'server/people/accounts/sign-in/guessing-flood.db.test.ts',
      'server/people/accounts/sign-in/lockout.db.test.ts',
      'server/people/accounts/second-factor/second-factor.db.test.ts',
      'server/people/accounts/passwords/breached-passwords.test.ts',
    ],
    ['Finding out who has an account', 'server/people/accounts/sign-in/refused-sign-in.db.test.ts'],
    [
      'A stolen session',
      'server/people/accounts/sign-in/confirm-identity.db.test.ts',
      'server/people/accounts/sessions/sessions.db.test.ts',
    ],
    [
      'A stolen backup',
      'server/people/accounts/stored-secrets.db.test.ts',
      'server/platform/secrets/secret-box.test.ts',
    ],
  ),
  ...attacks(
    'Single sign-on',
    ['OpenID Connect', 'server/people/sso/oidc.db.test.ts'],
    [
      'SAML',
      'server/people/sso/saml.db.test.ts',
      'server/people/sso/saml-assertion.test.ts',
      'server/people/sso/saml-checker.test.ts',
      'server/people/sso/xml-limits.test.ts',
    ],
    ['EHR launch and frames', 'server/people/sso/ehr.db.test.ts', 'server/people/sso/ehr-frame.db.test.ts'],
    ["Another organization's email domain", 'server/people/admin/connections/domains.db.test.ts'],
    ['Calls to addresses inside the network', 'server/platform/http/outgoing.test.ts'],
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
    [
      'Every table without an actor',
      'server/people/access/row-level-security.db.test.ts',
      'server/people/access/account-walls.db.test.ts',
      'server/platform/database/roles.db.test.ts',
    ],
    [
      'A disclosure that has ended',
      'server/work/search/disclosure.db.test.ts',
      'server/record/pings/part2.db.test.ts',
      'server/work/live/part2.db.test.ts',
      'server/work/patients/transfer.db.test.ts',
      'server/people/admin/directory/part2-mark.db.test.ts',
    ],
  ),
  ...attacks('Administration', [
    "Taking and giving permissions, also to oneself, also with an invited account of one's own",
    'server/people/admin/administration.property.db.test.ts',
    'server/people/admin/users/last-administrator.db.test.ts',
    'server/people/admin/own-access/own-access.db.test.ts',
  ]),
  ...attacks(
    'Audit',
    [
      'A question without an entry, or a name in one',
      'server/people/audit/every-question.db.test.ts',
      'server/people/audit/questions.db.test.ts',
      'server/people/audit/audited-routes.test.ts',
    ],
    ['Changed, removed or late entries', 'server/people/audit/seals.db.test.ts'],
  ),
];
