import { Anchor, Button, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { TokenPurpose } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { endSession } from '../session/end-session.ts';
import { meQuery } from '../session/session.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { Failed } from '../ui/states.tsx';
import { useTitle } from '../ui/use-title.ts';
import { AccountFrame, Problem } from './account-frame.tsx';
import { NewPassword, passwordProblem } from './new-password.tsx';
import { Form } from './sign-in-forms.tsx';
import { refusal } from './sign-in-steps.ts';

const WORDS: Record<TokenPurpose, [title: string, about: string, button: string]> = {
  ACCOUNT_ACTIVATION: ['Activate your account', 'Choose a password to finish.', 'Activate the account'],
  PASSWORD_RESET: ['Set a new password', 'Choose a new password; your other sessions will end.', 'Set the password'],
  ACCOUNT_UNLOCK: ['Unlock your account', 'Choose a new password to unlock it.', 'Unlock the account'],
};

/** The token of the address: behind the hash, which no server sees, or as query, as links had it before. */
export const takeToken = (): string => {
  const inQuery = new URLSearchParams(location.search).get('token');
  return inQuery ?? new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
};

const SetPassword = ({ token, username, button }: { token: string; username: string; button: string }) => {
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const router = useRouter();
  const client = useQueryClient();
  const set = useMutation({
    mutationFn: () => call('POST /api/password/set', { body: { token, password } }),
    onSuccess: async () => {
      // Somebody else's session, or one that has just ended with the old password: sign-in would lead back into it.
      if (client.getQueryData(meQuery.queryKey)) await call('POST /api/logout').catch(() => {});
      endSession(router, { stay: false });
      await navigate({ to: '/login', state: { passwordSetFor: username }, replace: true });
    },
  });
  return (
    <>
      <Problem message={set.isError ? refusal(set.error) : null} />
      <Form
        submit={() => {
          const wrong = passwordProblem(password, username) ?? undefined;
          setError(wrong);
          if (wrong) return false;
          set.mutate();
        }}
      >
        <TextInput label="Username" name="username" autoComplete="username" value={username} readOnly />
        <NewPassword value={password} error={error} change={setPassword} />
        <Button type="submit" loading={set.isPending}>
          {button}
        </Button>
      </Form>
    </>
  );
};

/** Where a mailed link leads. What it is for, the server says; the path is only for people's eyes. */
export const TokenPage = () => {
  const [token, take] = useState(takeToken);
  useEffect(() => {
    // It must not stay in the history.
    const clear = (): void => history.replaceState(history.state, '', location.pathname);
    clear();
    // Another link that is opened in this window changes the hash alone: nothing is loaded anew.
    const read = (): void => {
      const next = takeToken();
      if (!next) return;
      take(next);
      clear();
    };
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  const info = useQuery({
    queryKey: ['token', token],
    queryFn: () => call('GET /api/users/tokens/:token', { params: { token } }),
    gcTime: 0,
  });
  const [title, about, button] = info.data ? WORDS[info.data.purpose] : ['Your link', '', ''];
  useTitle(title);
  const unknown = info.error instanceof ApiError && info.error.status === 404;
  return (
    <AccountFrame title={title}>
      {info.isPending && <Text role="status">Checking the link …</Text>}
      {unknown && (
        <>
          <Text>This link has been used before, or its time is over.</Text>
          <Anchor component={Link} to="/forgot-password" underline="always">
            Ask for a new link
          </Anchor>
        </>
      )}
      {info.isError && !unknown && (
        <Failed what="The link could not be checked" error={info.error} retry={() => void info.refetch()} />
      )}
      {info.data && (
        <>
          <Text>
            {info.data.firstName}, {about.charAt(0).toLowerCase() + about.slice(1)} This link holds until{' '}
            {formatDateTime(info.data.expiresAt)}.
          </Text>
          <SetPassword key={token} token={token} username={info.data.username} button={button} />
        </>
      )}
      <Anchor component={Link} to="/login" underline="always">
        Return to sign-in
      </Anchor>
    </AccountFrame>
  );
};
