import { Alert, Anchor, Button, PasswordInput, Table, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { ERRORS } from '#contract/errors.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { IconActivity, IconAlertTriangle } from '../ui/icons.ts';
import { useTitle } from '../ui/use-title.ts';
import { applicationInfoQuery, inboxPath, meQuery, safeReturnPath } from './session.ts';
import classes from './sign-in-page.module.css';

/** What a refused sign-in says: the catalogue's words by key, never which of the two was wrong. */
const refusal = (error: unknown): string =>
  error instanceof ApiError
    ? (ERRORS[error.errorKey]?.[1] ?? error.message)
    : 'Tidings could not be reached. Check your connection and try again.';

/** What an account still needs before it may enter, where no page for it exists yet. */
const STILL_NEEDED = {
  mfa: 'Your account asks for a second factor. Contact your administrator.',
  'change-password': 'Your password has expired. Contact your administrator to set a new one.',
};

const useSignIn = () => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const asked = useLocation({ select: ({ state }) => safeReturnPath(state.returnTo) });
  return useMutation({
    mutationFn: async (credentials: { username: string; password: string }) => {
      const { next } = await call('POST /api/authenticate', { body: credentials });
      if (next !== 'home') return STILL_NEEDED[next];
      const me = await client.fetchQuery({ ...meQuery, staleTime: 0 });
      if (me) await navigate({ to: asked ?? inboxPath(me.user), replace: true });
      return null;
    },
  });
};

/** Sign-in by user name and password; on a demo installation, with the accounts to try. */
export const SignInPage = () => {
  useTitle('Sign in');
  const { data: info } = useQuery(applicationInfoQuery);
  const signIn = useSignIn();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState<{ username?: string; password?: string }>({});
  const problem = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const message = signIn.isError ? refusal(signIn.error) : (signIn.data ?? null);
  useEffect(() => {
    if (message) problem.current?.focus();
  }, [message]);

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const lacks = {
      ...(username.trim() ? {} : { username: 'Enter your username.' }),
      ...(password ? {} : { password: 'Enter your password.' }),
    };
    setMissing(lacks);
    const [first] = Object.keys(lacks);
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    else signIn.mutate({ username: username.trim().toLowerCase(), password });
  };
  const demo = info?.features.demoAccounts ?? [];
  const { email, phone, link } = info?.support ?? {};
  return (
    <main className={classes.page}>
      <div className={classes.product}>
        <IconActivity size={24} stroke={2} aria-hidden />
        {info?.productName ?? 'Tidings'}
      </div>
      <Title order={1}>Sign in</Title>
      <form ref={form} onSubmit={submit} noValidate className={classes.form}>
        <div ref={problem} tabIndex={-1} className={classes.problem}>
          {message && (
            <Alert role="alert" color="caution" icon={<IconAlertTriangle size={18} aria-hidden />}>
              {message}{' '}
              {link && (
                <Anchor href={link} inherit>
                  Support
                </Anchor>
              )}
            </Alert>
          )}
        </div>
        <TextInput
          label="Username"
          name="username"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          error={missing.username}
          onChange={({ currentTarget }) => setUsername(currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          value={password}
          error={missing.password}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0, 'aria-hidden': false }}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Button type="submit" loading={signIn.isPending} mt="xs">
          Sign in
        </Button>
      </form>
      {demo.length > 0 && (
        <section aria-labelledby="demo">
          <Title order={2} id="demo" size="h4">
            Demo accounts
          </Title>
          <Text size="xs" c="dimmed">
            All people here are invented. Press one to fill in its name and password.
          </Text>
          <Table stickyHeader={false} mt="xs" horizontalSpacing={0}>
            <Table.Tbody>
              {demo.map((account) => (
                <Table.Tr key={account.username}>
                  <Table.Td>
                    <UnstyledButton
                      className={classes.account}
                      onClick={() => {
                        setUsername(account.username);
                        setPassword(account.password);
                        setMissing({});
                        form.current?.querySelector<HTMLButtonElement>('[type=submit]')?.focus();
                      }}
                    >
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
        </section>
      )}
      <footer className={classes.footer}>
        {(email ?? phone) && (
          <Text size="xs" c="dimmed">
            Help: {[phone, email].filter(Boolean).join(' · ')}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          For authorised users only. What you read and change is recorded.
        </Text>
      </footer>
    </main>
  );
};
