import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Profile } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { CopyValue } from '../forms/copy-value.tsx';
import { textOf } from '../forms/fields.ts';
import { SecretInput } from '../forms/secret-input.tsx';
import { useForm } from '../forms/use-form.ts';
import { profileQuery } from '../session/preferences.ts';
import { meQuery } from '../session/queries.ts';
import { IconShieldLock } from '../ui/icons.ts';
import { Failed } from '../ui/states.tsx';
import classes from './profile.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Section } from './section.tsx';

interface Enrollment {
  secret: string;
  qrCode: string;
}

/** The secret for an authenticator app, as a QR code and as text in groups of four. */
const Enroll = ({
  enrollment,
  confirmed,
  cancel,
}: {
  enrollment: Enrollment;
  confirmed: (codes: string[]) => void;
  cancel: () => void;
}) => {
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => (/^\d{6}$/.test(code.replace(/\s/g, '')) ? {} : { code: 'Enter the 6-digit code.' }),
    save: ({ code }) => call('POST /api/users/mfa/confirm', { body: { code: code.replace(/\s/g, '') } }),
    keys: { WRONG_CODE: 'code' },
    saved: ({ recoveryCodes }) => confirmed(recoveryCodes),
  });
  return (
    <form onSubmit={form.submit} noValidate className={classes.form}>
      <Text>
        1. Open an authenticator app on your phone and scan this QR code. If you can't scan it, enter the setup key.
      </Text>
      <img className={classes.qr} src={enrollment.qrCode} alt="QR code for the setup key below" />
      <CopyValue label="Setup key" value={enrollment.secret.replace(/(.{4})(?=.)/g, '$1 ')} />
      <TextInput
        label="2. Enter the code from the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        {...textOf(form, 'code')}
      />
      {form.failure && <Failed what="Couldn't turn on two-step verification." error={form.failure} />}
      <Group gap="sm">
        <Button type="submit" loading={form.saving}>
          Turn on
        </Button>
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
      </Group>
    </form>
  );
};

const TurnOff = ({ turnedOff, cancel }: { turnedOff: () => void; cancel: () => void }) => {
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) => (password ? {} : { password: 'Enter your password.' }),
    save: (body) => call('DELETE /api/users/mfa', { body }),
    keys: { WRONG_PASSWORD: ['password', 'Incorrect password.'] },
    saved: turnedOff,
  });
  return (
    <form onSubmit={form.submit} noValidate className={classes.form}>
      <Text>After this, you'll sign in with just your password, and your recovery codes will stop working.</Text>
      <SecretInput label="Your password" autoComplete="current-password" {...textOf(form, 'password')} />
      {form.failure && <Failed what="Couldn't turn off two-step verification." error={form.failure} />}
      <Group gap="sm">
        <Button type="submit" variant="default" loading={form.saving}>
          Turn off two-step verification
        </Button>
        <Button variant="default" onClick={cancel}>
          Keep it on
        </Button>
      </Group>
    </form>
  );
};

/** The state of turning two-step verification on or off. */
const useMfaSetup = (saved: (message: string) => void) => {
  const client = useQueryClient();
  const [codes, setCodes] = useState<string[] | null>(null);
  const [turningOff, setTurningOff] = useState(false);
  const begin = useMutation({ mutationFn: () => call('POST /api/users/optIntoMfa'), gcTime: 0 });
  const done = (message: string): void => {
    void client.invalidateQueries({ queryKey: profileQuery.queryKey });
    void client.invalidateQueries({ queryKey: meQuery.queryKey });
    saved(message);
  };
  return {
    begin,
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
      done("Two-step verification is on. You'll be asked for a code when you sign in.");
    },
    turnedOff: (): void => {
      setTurningOff(false);
      done('Two-step verification is off.');
    },
  };
};

type MfaSetup = ReturnType<typeof useMfaSetup>;

const On = ({ codesLeft, turnOff }: { codesLeft: number; turnOff: () => void }) => (
  <>
    <Text mb="sm">
      On. After your password, you enter a code from your authenticator app. {codesLeft} recovery{' '}
      {codesLeft === 1 ? 'code' : 'codes'} left.
      {codesLeft <= 2 && ' To get new ones, turn two-step verification off and on again.'}
    </Text>
    <Button variant="default" onClick={turnOff}>
      Turn off…
    </Button>
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
  const { codes, begin, turningOff, setTurningOff } = setup;
  if (codes) return <RecoveryCodes codes={codes} close={setup.codesSaved} />;
  if (begin.data) return <Enroll enrollment={begin.data} confirmed={setup.confirmed} cancel={begin.reset} />;
  if (turningOff) return <TurnOff cancel={() => setTurningOff(false)} turnedOff={setup.turnedOff} />;
  if (profile.mfaOptedIn) return <On codesLeft={profile.recoveryCodesLeft} turnOff={() => setTurningOff(true)} />;
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
