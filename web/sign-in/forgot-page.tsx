import { Alert, Anchor, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { Link } from '../router/link.tsx';
import { useTitle } from '../ui/use-title.ts';
import { AccountFrame, Problem } from './account-frame.tsx';
import { Form } from './sign-in-forms.tsx';
import { refusal } from './sign-in-steps.ts';
import { keptUsername } from './typed-username.ts';
import { UsernameInput } from './username-input.tsx';

/** Requests an email with a link to set a new password. The server's answer is shown as it is. */
export const ForgotPage = () => {
  useTitle('Forgot password');
  const [username, setUsername] = useState(keptUsername);
  const [missing, setMissing] = useState(false);
  const ask = useMutation({
    mutationFn: (name: string) => call('GET /api/password/forgot', { query: { username: name } }),
  });
  return (
    <AccountFrame title="Forgot password">
      <Problem message={ask.isError ? refusal(ask.error) : null} />
      {ask.data ? (
        <Alert role="status" color="positive">
          {ask.data.message}
        </Alert>
      ) : (
        <>
          <Text>We'll email you a link to set a new password.</Text>
          <Form
            submit={() => {
              const name = username.trim().toLowerCase();
              setMissing(!name);
              if (!name) return false;
              ask.mutate(name);
            }}
          >
            <UsernameInput value={username} missing={missing} change={setUsername} />
            <Button type="submit" loading={ask.isPending} mt="xs">
              Send link
            </Button>
          </Form>
        </>
      )}
      <Anchor component={Link} data-target to="/login" underline="always">
        Return to sign-in
      </Anchor>
    </AccountFrame>
  );
};
