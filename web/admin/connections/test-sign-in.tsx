import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SsoConnection } from '#contract/admin.ts';
import type { SignInTestOutcome } from '#contract/sign-in-test.ts';
import { call } from '../../api/call.ts';
import { useNavigate, useSearch } from '../../router/hooks.ts';
import { Failed } from '../../ui/states.tsx';
import classes from '../admin.module.css';
import type { ConnectionsSearch } from './connections-search.ts';

/** What the administrator can do after each result. */
export const TEST_RESULTS: Record<SignInTestOutcome, string> = {
  passed: 'The test sign-in worked. You can enable the connection now. No account was changed.',
  unreachable:
    "The test sign-in failed because the identity provider didn't answer. Check the issuer, then test again.",
  'no-email':
    'The identity provider signed you in but sent no verified email address. Ask its administrator to send one, then test again.',
  'unknown-person':
    "The identity provider signed in someone who has no account here with one of the connection's email domains. Check the domains and your account, then test again.",
  'other-person':
    'The identity provider signed in someone else. Sign in there as yourself, so that you can still get in once the connection is enabled.',
  refused:
    'The test sign-in failed: the identity provider refused it, or its answer could not be verified. Check the settings on both sides, then test again.',
};

/** Returns the result of the test from which the browser has just come back, and removes it from the address. */
export const useTestResult = () => {
  const { test } = useSearch() as ConnectionsSearch;
  const navigate = useNavigate();
  const [result, setResult] = useState(test ?? null);
  useEffect(() => {
    if (test) void navigate({ to: '.', search: {}, replace: true });
  }, [test, navigate]);
  return { result, dismiss: (): void => setResult(null) };
};

/** Lets the administrator sign in through a saved connection before it is enabled. `dirty`: the form has changes that are not saved. */
export const TestSignIn = ({ connection: { id, isTested }, dirty }: { connection: SsoConnection; dirty: boolean }) => {
  const start = useMutation({
    mutationFn: () =>
      call('POST /api/admin/sso-connections/:id/test', { params: { id }, body: { returnTo: location.pathname } }),
    onSuccess: ({ redirectUrl }) => location.assign(redirectUrl),
  });
  return (
    <section aria-label="Test sign-in">
      <h3 className={classes.subhead}>Test sign-in</h3>
      <Text size="sm" mb={8}>
        {isTested
          ? 'A test sign-in with these settings worked.'
          : 'You can enable the connection once a test sign-in has worked. If your own email address has one of its domains, sign in as yourself. The test changes no account.'}
        {dirty && ' Save your changes before you test.'}
      </Text>
      <Button
        size="xs"
        variant="default"
        disabled={dirty}
        loading={start.isPending || start.isSuccess}
        onClick={() => start.mutate()}
      >
        Test sign-in
      </Button>
      {start.error && <Failed what="The test didn't start." error={start.error} />}
    </section>
  );
};
