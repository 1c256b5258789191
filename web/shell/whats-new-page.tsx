import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { applicationInfoQuery } from '../session/queries.ts';
import { useTitle } from '../ui/use-title.ts';
import classes from './pages.module.css';

/** The changes of each version, newest first, as users see them. */
const RELEASES = [
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
        <section key={title}>
          <Title order={2} mt="xl">
            {title}
          </Title>
          <ul>
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
};
