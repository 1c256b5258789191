import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { IconFingerprint, IconShieldLock } from '../ui/icons.ts';
import { Failed } from '../ui/states.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { AuthenticatorSetup } from './authenticator-setup.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Back } from './sign-in-forms.tsx';
import type { SignInSteps } from './sign-in-steps.ts';

/** The step before the first page, where policy requires a second factor that the account doesn't have yet. */
export const EnrollStep = ({ steps }: { steps: SignInSteps }) => {
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  const begin = useMutation({ mutationFn: () => call('POST /api/users/optIntoMfa'), gcTime: 0 });
  const confirmed = (given: string[]): void => {
    begin.reset();
    setCodes(given);
  };
  if (codes) return <RecoveryCodes codes={codes} close={steps.enrolled} />;
  if (begin.data) return <AuthenticatorSetup enrollment={begin.data} confirmed={confirmed} cancel={begin.reset} />;
  if (isAdding) return <AddPasskey added={steps.enrolled} cancel={() => setIsAdding(false)} />;
  return (
    <>
      <Text>
        Your password alone doesn't open this account. Set up a second step now, then you'll continue to Tidings.
      </Text>
      {begin.error && <Failed what="Couldn't start the setup." error={begin.error} />}
      <Stack gap="sm">
        <Button
          loading={begin.isPending}
          leftSection={<IconShieldLock size={18} stroke={1.75} aria-hidden />}
          onClick={() => begin.mutate()}
        >
          Use an authenticator app
        </Button>
        {'PublicKeyCredential' in window && (
          <Button
            variant="default"
            leftSection={<IconFingerprint size={18} stroke={1.75} aria-hidden />}
            onClick={() => setIsAdding(true)}
          >
            Add a passkey
          </Button>
        )}
      </Stack>
      <Text size="sm" c="dimmed">
        An authenticator app shows a new code every 30 seconds. A passkey uses your fingerprint, face or device PIN.
      </Text>
      <Back steps={steps} />
    </>
  );
};
