import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { applicationInfoQuery } from '../session/session.ts';
import { useTitle } from '../ui/use-title.ts';
import classes from './shell.module.css';

/** What came with a version, newest first; in the words of those who use it. */
const RELEASES = [
  {
    title: 'Accounts',
    changes: [
      'Sign in with a passkey, with a code as second factor, or through your organisation.',
      'Forgotten password, activation and unlocking by a mailed link; ask to join a group without an account.',
      'You are warned before your session ends, and come back to the page that you left.',
    ],
  },
  {
    title: 'First light',
    changes: [
      'The inbox of pings: what happened to the people on your rosters, within a second.',
      'Unresolved, In Progress, Resolved and Dismissed, shared by the whole team, with undo.',
      'Upload of rosters, and the state of the feeds.',
    ],
  },
];

/** Product updates, where no widget is configured that tells them. */
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
