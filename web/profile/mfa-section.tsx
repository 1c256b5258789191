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
import { meQuery } from '../session/session.ts';
import { IconShieldLock } from '../ui/icons.ts';
import { Failed } from '../ui/states.tsx';
import classes from './profile.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Section } from './section.tsx';

interface Enrolment {
  secret: string;
  qrCode: string;
}

/** The secret as an authenticator app takes it: by its picture, or typed in fours. */
const Enrol = ({
  enrolment,
  confirmed,
  cancel,
}: {
  enrolment: Enrolment;
  confirmed: (codes: string[]) => void;
  cancel: () => void;
}) => {
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => (/^\d{6}$/.test(code.replace(/\s/g, '')) ? {} : { code: 'Enter the six digits.' }),
    save: ({ code }) => call('POST /api/users/mfa/confirm', { body: { code: code.replace(/\s/g, '') } }),
    keys: { WRONG_CODE: 'code' },
    saved: ({ recoveryCodes }) => confirmed(recoveryCodes),
  });
  return (
    <form onSubmit={form.submit} noValidate className={classes.form}>
      <Text>
        1. Open an authenticator app on your phone, and let it read this picture. If it cannot, type the secret.
      </Text>
      <img className={classes.qr} src={enrolment.qrCode} alt="QR code of the secret below" />
      <CopyValue label="Secret" value={enrolment.secret.replace(/(.{4})(?=.)/g, '$1 ')} />
      <TextInput
        label="2. Enter the code that the app shows"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        {...textOf(form, 'code')}
      />
      {form.failure && <Failed what="The second factor was not turned on." error={form.failure} />}
      <Group gap="sm">
        <Button type="submit" loading={form.saving}>
          Turn it on
        </Button>
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
      </Group>
    </form>
  );
};

const Remove = ({ removed, cancel }: { removed: () => void; cancel: () => void }) => {
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) => (password ? {} : { password: 'Enter your password.' }),
    save: (body) => call('DELETE /api/users/mfa', { body }),
    keys: { WRONG_PASSWORD: ['password', 'This is not your password.'] },
    saved: removed,
  });
  return (
    <form onSubmit={form.submit} noValidate className={classes.form}>
      <Text>Afterwards your password alone signs you in, and your recovery codes no longer work.</Text>
      <SecretInput label="Your password" autoComplete="current-password" {...textOf(form, 'password')} />
      {form.failure && <Failed what="The second factor was not removed." error={form.failure} />}
      <Group gap="sm">
        <Button type="submit" variant="default" loading={form.saving}>
          Remove the second factor
        </Button>
        <Button variant="default" onClick={cancel}>
          Keep it
        </Button>
      </Group>
    </form>
  );
};

/** How far one is with turning the second factor on or off. */
const useSecondFactor = (saved: (message: string) => void) => {
  const client = useQueryClient();
  const [codes, showCodes] = useState<string[] | null>(null);
  const [removing, remove] = useState(false);
  const begin = useMutation({ mutationFn: () => call('POST /api/users/optIntoMfa'), gcTime: 0 });
  const done = (message: string): void => {
    void client.invalidateQueries({ queryKey: profileQuery.queryKey });
    void client.invalidateQueries({ queryKey: meQuery.queryKey });
    saved(message);
  };
  return {
    begin,
    /** The recovery codes, until they are kept. */
    codes,
    removing,
    remove,
    confirmed: (given: string[]): void => {
      begin.reset();
      showCodes(given);
    },
    kept: (): void => {
      showCodes(null);
      done('The second factor is on. You are asked for a code when you sign in.');
    },
    removed: (): void => {
      remove(false);
      done('The second factor was removed.');
    },
  };
};

type SecondFactor = ReturnType<typeof useSecondFactor>;

const On = ({ codesLeft, remove }: { codesLeft: number; remove: () => void }) => (
  <>
    <Text mb="sm">
      On: after your password you enter a code from your authenticator app. {codesLeft} recovery{' '}
      {codesLeft === 1 ? 'code is' : 'codes are'} left.
      {codesLeft <= 2 && ' To get new ones, remove the second factor and turn it on again.'}
    </Text>
    <Button variant="default" onClick={remove}>
      Remove…
    </Button>
  </>
);

const Off = ({ begin }: Pick<SecondFactor, 'begin'>) => (
  <>
    <Text mb="sm">
      Off. With it, a code from an app on your phone is asked for as well, so that a stolen password alone opens
      nothing.
    </Text>
    {begin.error && <Failed what="It could not be begun." error={begin.error} />}
    <Button
      variant="default"
      loading={begin.isPending}
      leftSection={<IconShieldLock size={16} stroke={1.75} aria-hidden />}
      onClick={() => begin.mutate()}
    >
      Set up a second factor
    </Button>
  </>
);

const Step = ({ profile, factor }: { profile: Profile; factor: SecondFactor }) => {
  const { codes, begin, removing, remove } = factor;
  if (codes) return <RecoveryCodes codes={codes} close={factor.kept} />;
  if (begin.data) return <Enrol enrolment={begin.data} confirmed={factor.confirmed} cancel={begin.reset} />;
  if (removing) return <Remove cancel={() => remove(false)} removed={factor.removed} />;
  if (profile.mfaOptedIn) return <On codesLeft={profile.recoveryCodesLeft} remove={() => remove(true)} />;
  return <Off begin={begin} />;
};

/** The second factor: enrol, confirm, recovery codes, remove. */
export const MfaSection = ({ profile, saved }: { profile: Profile; saved: (message: string) => void }) => {
  const factor = useSecondFactor(saved);
  return (
    <Section id="mfa" title="Second factor">
      {profile.isManagedElsewhere ? (
        <Text>
          Your organisation’s sign-in asks for a second factor where it wants one.
          {profile.mfaOptedIn && ' The code that you had set up is not asked for meanwhile.'}
        </Text>
      ) : (
        <Step profile={profile} factor={factor} />
      )}
    </Section>
  );
};
