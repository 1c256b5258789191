import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Profile } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { profileQuery } from '../session/preferences.ts';
import { meQuery } from '../session/queries.ts';
import { AuthenticatorSetup } from '../sign-in/authenticator-setup.tsx';
import { RecoveryCodes } from '../sign-in/recovery-codes.tsx';
import { IconShieldLock } from '../ui/icons.ts';
import { Failed } from '../ui/states.tsx';
import { Section } from './section.tsx';

/** The state of turning two-step verification on or off. */
const useMfaSetup = (saved: (message: string) => void) => {
  const client = useQueryClient();
  const [codes, setCodes] = useState<string[] | null>(null);
  const [turningOff, setTurningOff] = useState(false);
  const begin = useMutation({ mutationFn: () => call('POST /api/users/optIntoMfa'), gcTime: 0 });
  const renew = useMutation({
    mutationFn: () => call('POST /api/users/mfa/recovery-codes'),
    onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes),
    gcTime: 0,
  });
  const done = (message: string): void => {
    void client.invalidateQueries({ queryKey: profileQuery.queryKey });
    void client.invalidateQueries({ queryKey: meQuery.queryKey });
    saved(message);
  };
  return {
    begin,
    renew,
    /** The recovery codes, until the user has saved them. */
    codes,
    turningOff,
    setTurningOff,
    confirmed: (given: string[]): void => {
      begin.reset();
      setCodes(given);
    },
    codesSaved: (): void => {
      setCodes(null);
      done(
        renew.isSuccess
          ? 'Your earlier recovery codes no longer work.'
          : "Two-step verification is on. You'll be asked for a code when you sign in.",
      );
      renew.reset();
    },
    turnedOff: (): void => {
      setTurningOff(false);
      done('Two-step verification is off.');
    },
  };
};

type MfaSetup = ReturnType<typeof useMfaSetup>;

const On = ({ codesLeft, setup }: { codesLeft: number; setup: MfaSetup }) => (
  <>
    <Text mb="sm">
      On. After your password, you enter a code from your authenticator app. {codesLeft} recovery{' '}
      {codesLeft === 1 ? 'code' : 'codes'} left.
    </Text>
    {setup.renew.error && <Failed what="Your recovery codes weren't changed." error={setup.renew.error} />}
    <Group gap="sm">
      <Button variant="default" loading={setup.renew.isPending} onClick={() => setup.renew.mutate()}>
        Get new recovery codes
      </Button>
      <Button variant="default" onClick={() => setup.setTurningOff(true)}>
        Turn off…
      </Button>
    </Group>
    {setup.turningOff && (
      <Confirm
        title="Turn off two-step verification?"
        word="Turn off two-step verification"
        act={() => call('DELETE /api/users/mfa')}
        done={setup.turnedOff}
        close={() => setup.setTurningOff(false)}
      >
        After this, you'll sign in with just your password, and your recovery codes will stop working. If your account
        needs a second step, you'll set one up at your next sign-in.
      </Confirm>
    )}
  </>
);

const Off = ({ begin }: Pick<MfaSetup, 'begin'>) => (
  <>
    <Text mb="sm">Off. Adds a code from your phone, so that a stolen password isn't enough to sign in.</Text>
    {begin.error && <Failed what="Couldn't start the setup." error={begin.error} />}
    <Button
      variant="default"
      loading={begin.isPending}
      leftSection={<IconShieldLock size={16} stroke={1.75} aria-hidden />}
      onClick={() => begin.mutate()}
    >
      Set up two-step verification
    </Button>
  </>
);

const Step = ({ profile, setup }: { profile: Profile; setup: MfaSetup }) => {
  const { codes, begin } = setup;
  if (codes) return <RecoveryCodes codes={codes} close={setup.codesSaved} />;
  if (begin.data)
    return <AuthenticatorSetup enrollment={begin.data} confirmed={setup.confirmed} cancel={begin.reset} />;
  if (profile.mfaOptedIn) return <On codesLeft={profile.recoveryCodesLeft} setup={setup} />;
  return <Off begin={begin} />;
};

/** Two-step verification: set up, recovery codes, turn off. */
export const MfaSection = ({ profile, saved }: { profile: Profile; saved: (message: string) => void }) => {
  const setup = useMfaSetup(saved);
  return (
    <Section id="mfa" title="Two-step verification">
      {profile.isManagedElsewhere ? (
        <Text>
          Your organization's sign-in handles two-step verification.
          {profile.mfaOptedIn && " The codes from the app that you set up here aren't asked for."}
        </Text>
      ) : (
        <Step profile={profile} setup={setup} />
      )}
    </Section>
  );
};
