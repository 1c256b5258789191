import { Alert, Anchor, Table, Text, Title, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApplicationInfo } from '#contract/accounts.ts';
import { useLocation } from '../router/hooks.ts';
import { Link } from '../router/link.tsx';
import { isFramed } from '../session/ehr-frame.ts';
import { safeReturnPath } from '../session/paths.ts';
import { applicationInfoQuery } from '../session/queries.ts';
import { useTitle } from '../ui/use-title.ts';
import { AccountFrame, Problem } from './account-frame.tsx';
import { EnrollStep } from './enroll-step.tsx';
import { LaunchFailedPage } from './launch-failed-page.tsx';
import { ChangePasswordForm, CodeForm, PasswordForm, RedirectNotice, UsernameForm } from './sign-in-forms.tsx';
import classes from './sign-in-page.module.css';
import { catalogueMessage, isSsoFailure, type Step, useSignInSteps } from './sign-in-steps.ts';
import { keptUsername } from './typed-username.ts';

const TITLES: Record<Step, string> = {
  username: 'Sign in',
  password: 'Sign in',
  redirect: 'Sign in with your organization',
  mfa: 'Enter your code',
  'change-password': 'Change your password',
  enroll: 'Set up a second step',
};

type DemoAccount = ApplicationInfo['features']['demoAccounts'][number];

const DemoAccounts = ({ accounts, choose }: { accounts: DemoAccount[]; choose: (account: DemoAccount) => void }) => (
  <section aria-labelledby="demo">
    <Title order={2} id="demo" size="h4">
      Demo accounts
    </Title>
    <Text size="xs" c="dimmed">
      Everyone here is fictional. Select an account to fill in its username and password.
    </Text>
    <Table stickyHeader={false} mt="xs" horizontalSpacing={0}>
      <Table.Tbody>
        {accounts.map((account) => (
          <Table.Tr key={account.username}>
            <Table.Td>
              <UnstyledButton className={classes.account} onClick={() => choose(account)}>
                {account.username}
              </UnstyledButton>
              <Text size="xs" c="dimmed">
                {account.about}
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
    <Text size="xs" mt="sm">
      <Anchor component={Link} data-target to="/demo/mailbox" inherit underline="always">
        View this demo's emails and text messages
      </Anchor>
    </Text>
  </section>
);

/** Returns why the user is on this page, if that needs saying. */
const useNotice = (): string | null => {
  const { state, search } = useLocation();
  if ('passwordSet' in search) return 'Your password is set. Sign in with your new password.';
  return state.ended ? 'Your session has ended. Sign in again to pick up where you left off.' : null;
};

/** Sign-in: the username, then the step that belongs to it. A demo installation lists its accounts. */
export const SignInPage = () => {
  const { data: info } = useQuery(applicationInfoQuery);
  const { state, search } = useLocation();
  const { error, nextPathName } = search as { error?: unknown; nextPathName?: unknown };
  const steps = useSignInSteps({
    path: safeReturnPath(state.returnTo) ?? safeReturnPath(nextPathName),
    userId: state.returnFor,
  });
  const [username, setUsername] = useState('passwordSet' in search ? keptUsername : '');
  const [password, setPassword] = useState('');
  const notice = useNotice();
  const { step } = steps;
  useTitle(TITLES[step]);
  const demo = info?.features.demoAccounts ?? [];
  if (isFramed()) return <LaunchFailedPage />;
  return (
    <AccountFrame title={TITLES[step]}>
      {notice && step === 'username' && (
        <Alert role="status" color="marine">
          {notice}
        </Alert>
      )}
      <Problem message={steps.problem ?? (step === 'username' ? catalogueMessage(error) : null)} />
      {step === 'username' && (
        <UsernameForm steps={steps} username={username} change={setUsername} offersPassword={isSsoFailure(error)} />
      )}
      {step === 'password' && (
        <PasswordForm steps={steps} username={username} password={password} change={setPassword} />
      )}
      {step === 'redirect' && <RedirectNotice steps={steps} username={username} />}
      {step === 'mfa' && <CodeForm steps={steps} />}
      {step === 'change-password' && <ChangePasswordForm steps={steps} username={username} password={password} />}
      {step === 'enroll' && <EnrollStep steps={steps} />}
      {demo.length > 0 && (step === 'username' || step === 'password') && (
        <DemoAccounts
          accounts={demo}
          choose={(account) => {
            setUsername(account.username);
            setPassword(account.password);
            steps.toPassword();
          }}
        />
      )}
    </AccountFrame>
  );
};
