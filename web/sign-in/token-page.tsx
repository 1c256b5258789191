import { Anchor, Button, Radio, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteAnswer } from '#contract/routes.ts';
import type { TokenPurpose } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { useNavigate } from '../router/hooks.ts';
import { Link } from '../router/link.tsx';
import { meQuery } from '../session/queries.ts';
import { leaveEverywhere, signOut } from '../session/sign-out.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { Failed } from '../ui/states.tsx';
import { useTitle } from '../ui/use-title.ts';
import { AccountFrame, Problem } from './account-frame.tsx';
import { NewPassword } from './new-password.tsx';
import { passwordProblem } from './password-rules.ts';
import { Form } from './sign-in-forms.tsx';
import classes from './sign-in-page.module.css';
import { refusal } from './sign-in-steps.ts';
import { keepUsername } from './typed-username.ts';
import { useAddressToken } from './use-address-token.ts';

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

type TokenInfo = RouteAnswer<'GET /api/users/tokens/:token'>;

/** What else opens the account, or is known to it, and whether it stays. */
const Devices = ({
  info: { passkeys, devices },
  keep,
  change,
}: {
  info: TokenInfo;
  keep: boolean;
  change: (keep: boolean) => void;
}) => (
  <section aria-labelledby="devices">
    <Title order={2} size="h4" id="devices">
      Your passkeys and devices
    </Title>
    <ul className={classes.devices}>
      {passkeys.map(({ name, createdDate, lastUsedDate }) => (
        <li key={`${name} ${createdDate}`}>
          Passkey “{name}”, {lastUsedDate ? `last used ${formatDateTime(lastUsedDate)}` : 'not used yet'}
        </li>
      ))}
      {devices.map(({ name, lastUsedDate }, index) => (
        // Two browsers may have the same name and time.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          {name || 'A browser'}, last used {formatDateTime(lastUsedDate)}
        </li>
      ))}
    </ul>
    <Radio.Group
      label="When your password is set"
      value={keep ? 'keep' : 'remove'}
      onChange={(value) => change(value === 'keep')}
    >
      <Stack gap="sm" mt="xs">
        <Radio
          value="remove"
          label="Remove all of them"
          description="Safest. Choose this if someone else may have used your account."
        />
        <Radio value="keep" label="Keep all of them" description="Only if you recognize every one." />
      </Stack>
    </Radio.Group>
  </section>
);

const SetPassword = ({ token, info, button }: { token: string; info: TokenInfo; button: string }) => {
  const { username } = info;
  const [keepDevices, setKeepDevices] = useState(false);
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const client = useQueryClient();
  const set = useMutation({
    mutationFn: () => call('POST /api/password/set', { body: { token, password, keepDevices } }),
    onSuccess: async () => {
      // The session may be another user's, or have ended with the old password: sign-in would lead back into it.
      if (await client.fetchQuery(meQuery).catch(() => true)) {
        const notice = '?passwordSet=true';
        return signOut(notice).catch(() => leaveEverywhere(notice));
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
        {info.passkeys.length + info.devices.length > 0 && (
          <Devices info={info} keep={keepDevices} change={setKeepDevices} />
        )}
        <Button type="submit" loading={set.isPending}>
          {button}
        </Button>
      </Form>
    </>
  );
};

/** The page of an emailed link. The server knows what the token is for; the path is only for people to read. */
export const TokenPage = () => {
  const token = useAddressToken(readToken);
  const info = useQuery({
    queryKey: ['token', token],
    queryFn: () => call('GET /api/users/tokens/:token', { params: { token } }),
    gcTime: 0,
  });
  const [title, task, button] = info.data ? TEXTS[info.data.purpose] : ['Your link', '', ''];
  useTitle(title);
  const unknown = info.error instanceof ApiError && info.error.status === 404;
  const managed = info.error instanceof ApiError && info.error.errorKey === 'MANAGED_ELSEWHERE';
  return (
    <AccountFrame title={title}>
      {info.isPending && <Text role="status">Checking your link…</Text>}
      {unknown && (
        <>
          <Text>This link has expired or was already used.</Text>
          <Anchor component={Link} data-target to="/forgot-password" underline="always">
            Request a new link
          </Anchor>
        </>
      )}
      {managed && (
        <>
          <Text>
            Your organization manages your sign-in, so you don't need a password here. Sign in with your organization's
            account.
          </Text>
          <Anchor component={Link} data-target to="/login" underline="always">
            Continue to sign-in
          </Anchor>
        </>
      )}
      {info.isError && !unknown && !managed && (
        <Failed what="Couldn't check this link." error={info.error} retry={() => void info.refetch()} />
      )}
      {info.data && (
        <>
          <Text>
            {info.data.firstName}, {task} This link expires {formatDateTime(info.data.expiresAt)}.
          </Text>
          <SetPassword key={token} token={token} info={info.data} button={button} />
        </>
      )}
      {!managed && (
        <Anchor component={Link} data-target to="/login" underline="always">
          Return to sign-in
        </Anchor>
      )}
    </AccountFrame>
  );
};
