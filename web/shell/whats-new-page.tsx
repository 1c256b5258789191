import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { applicationInfoQuery } from '../session/queries.ts';
import { useTitle } from '../ui/use-title.ts';
import classes from './pages.module.css';

/** The changes of each version, newest first, as users see them. */
const RELEASES = [
  {
    title: 'Administration',
    changes: [
      'Find users by team, group, role, last sign-in and how they sign in, and change several at once.',
      'Your identity provider can create and disable accounts, and its groups can give access (SCIM 2.0).',
      'Require single sign-on, and choose how long a session lasts.',
      'The audit log has sign-ins and refusals, with filters and a download.',
    ],
  },
  {
    title: 'Spotlights and reports',
    changes: [
      'Spotlights answer seven questions about the people on your lists, with the patients behind each number.',
      'Save a spotlight for a saved filter and share it with your team.',
      'Reports say who has an account, which pages are used, and which access was never used.',
    ],
  },
  {
    title: 'The patient’s story',
    changes: [
      'One card for each visit, with what is going on now and why the person is on your list.',
      'Documents from hospitals are readable, searchable and printable.',
      'Care team, instructions, tags, three-day waivers and contact attempts are with the patient.',
    ],
  },
  {
    title: 'Working together',
    changes: [
      'Take a visit, let it wait, hand over a shift, and change several rows at once.',
      'Save filters, share them with your team, and be notified by email or text.',
      'See why a ping was sent, and where one may be missing.',
    ],
  },
  {
    title: 'Exports',
    changes: [
      'Export encounters as CSV or Excel files: choose groups, statuses, dates and fields.',
      'Export the rows of your inbox and patient list as they are filtered, with Export list at the top.',
      'Find your exports of the last 7 days in Recent Exports.',
    ],
  },
  {
    title: 'Accounts',
    changes: [
      'Sign in with a passkey, with two-step verification, or through your organization.',
      'Reset your password, or activate or unlock your account, with an emailed link. Request access to a group without an account.',
      "We'll warn you before you're signed out and bring you back to the page you were on.",
    ],
  },
  {
    title: 'First release',
    changes: [
      'The ping inbox: what happened to the people on your rosters, within a second.',
      'Ping statuses that your whole team shares (Unresolved, In Progress, Resolved, Dismissed), with undo.',
      'Roster uploads and feed status.',
    ],
  },
];

/** Product updates, for installations without a product-updates widget. */
export const WhatsNewPage = () => {
  useTitle("What's new");
  const { data: info } = useQuery(applicationInfoQuery);
  return (
    <div className={classes.page}>
      <Title order={1}>What’s new</Title>
      {info && (
        <Text c="dimmed" size="sm">
          {info.productName} {info.version}
        </Text>
      )}
      {RELEASES.map(({ title, changes }) => (
        <details key={title} open className={classes.release}>
          <summary>
            <Title order={2}>{title}</Title>
          </summary>
          <ul>
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  );
};
