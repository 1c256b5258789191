import { Anchor, Button, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { TokenPurpose } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { endSession } from '../session/end-session.ts';
import { meQuery } from '../session/queries.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { Failed } from '../ui/states.tsx';
import { useTitle } from '../ui/use-title.ts';
import { AccountFrame, Problem } from './account-frame.tsx';
import { NewPassword } from './new-password.tsx';
import { passwordProblem } from './password-rules.ts';
import { Form } from './sign-in-forms.tsx';
import { refusal } from './sign-in-steps.ts';
import { keepUsername } from './typed-username.ts';

/** `task` continues a sentence that starts with the user's first name. */
const TEXTS: Record<TokenPurpose, [title: string, task: string, button: string]> = {
  ACCOUNT_ACTIVATION: ['Activate your account', 'choose a password to finish.', 'Activate account'],
  PASSWORD_RESET: [
    'Set a new password',
    "choose a new password. You'll be signed out everywhere else.",
    'Set password',
  ],
  ACCOUNT_UNLOCK: ['Unlock your account', 'choose a new password to unlock your account.', 'Unlock account'],
};

/** Returns the token in the address: after the hash, which no server sees, or in the query, as in older links. */
export const readToken = (): string => {
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
      // The session may be another user's, or have ended with the old password: sign-in would lead back into it.
      if (client.getQueryData(meQuery.queryKey)) {
        await call('POST /api/logout').catch(() => {});
        return endSession(router, { willReturn: false, query: '?passwordSet=true' });
      }
      keepUsername(username);
      await navigate({ to: '/login', search: { passwordSet: true }, replace: true });
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

/** The page of an emailed link. The server knows what the token is for; the path is only for people to read. */
export const TokenPage = () => {
  const [token, setToken] = useState(readToken);
  useEffect(() => {
    // The token must not stay in the history.
    const clear = (): void => history.replaceState(history.state, '', location.pathname);
    clear();
    // Opening another link in this window changes only the hash, and doesn't reload the page.
    const read = (): void => {
      const next = readToken();
      if (!next) return;
      setToken(next);
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
  const [title, task, button] = info.data ? TEXTS[info.data.purpose] : ['Your link', '', ''];
  useTitle(title);
  const unknown = info.error instanceof ApiError && info.error.status === 404;
  return (
    <AccountFrame title={title}>
      {info.isPending && <Text role="status">Checking your link…</Text>}
      {unknown && (
        <>
          <Text>This link has expired or was already used.</Text>
          <Anchor component={Link} to="/forgot-password" underline="always">
            Request a new link
          </Anchor>
        </>
      )}
      {info.isError && !unknown && (
        <Failed what="Couldn't check this link." error={info.error} retry={() => void info.refetch()} />
      )}
      {info.data && (
        <>
          <Text>
            {info.data.firstName}, {task} This link expires {formatDateTime(info.data.expiresAt)}.
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
