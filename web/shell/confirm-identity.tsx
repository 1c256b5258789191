import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Profile } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { textOf } from '../forms/fields.ts';
import { SecretInput } from '../forms/secret-input.tsx';
import { useForm } from '../forms/use-form.ts';
import { useRouter } from '../router/hooks.ts';
import { endSession } from '../session/end-session.ts';
import { profileQuery } from '../session/preferences.ts';
import { refusal } from '../sign-in/sign-in-steps.ts';
import { Dialog } from '../ui/dialog.tsx';
import { IconFingerprint } from '../ui/icons.ts';
import { Failed } from '../ui/states.tsx';

type Ways = Pick<Profile, 'hasPassword' | 'mfaOptedIn' | 'isManagedElsewhere'> & { hasPasskey: boolean };

/** Before the profile may be loaded, while a second factor is still missing, the user has just a password. */
const PASSWORD_ONLY: Ways = { hasPassword: true, mfaOptedIn: false, isManagedElsewhere: false, hasPasskey: false };

/** Returns how the user can confirm; null while that is loading. */
const useWays = (): Ways | null => {
  const { data, isError } = useQuery({ ...profileQuery, retry: false });
  if (data) return { ...data, hasPasskey: data.passkeys.length > 0 && 'PublicKeyCredential' in window };
  return isError ? PASSWORD_ONLY : null;
};

interface Answer {
  confirmed: () => void;
  cancel: () => void;
}

const Cancel = ({ cancel }: Pick<Answer, 'cancel'>) => (
  <Button variant="default" onClick={cancel}>
    Cancel
  </Button>
);

/** The password, or a code: one field either way. */
const SecretForm = ({ isCode, confirmed, cancel }: Answer & { isCode: boolean }) => {
  const form = useForm({
    initial: { secret: '' },
    check: ({ secret }) => (secret.trim() ? {} : { secret: isCode ? 'Enter a code.' : 'Enter your password.' }),
    save: ({ secret }) =>
      call('POST /api/authenticate/again', { body: isCode ? { code: secret.trim() } : { password: secret } }),
    keys: { WRONG_PASSWORD: ['secret', 'Incorrect password.'], WRONG_CODE: 'secret', BAD_REQUEST: 'secret' },
    saved: confirmed,
  });
  return (
    <form onSubmit={form.submit} noValidate>
      {isCode ? (
        <TextInput
          label="Verification or recovery code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={20}
          data-autofocus
          {...textOf(form, 'secret')}
        />
      ) : (
        <SecretInput label="Your password" autoComplete="current-password" data-autofocus {...textOf(form, 'secret')} />
      )}
      {form.failure && <Failed what="Couldn't confirm it's you." error={form.failure} />}
      <Group mt="lg" gap="sm">
        <Button type="submit" loading={form.saving}>
          Confirm
        </Button>
        <Cancel cancel={cancel} />
      </Group>
    </form>
  );
};

const PasskeyButton = ({ confirmed }: Pick<Answer, 'confirmed'>) => {
  const use = useMutation({
    mutationFn: async () => {
      const { startAuthentication } = await import('@simplewebauthn/browser');
      const options = await call('POST /api/authenticate/passkey/options');
      // The server half of the same library made these options.
      const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
      const response = await startAuthentication({ optionsJSON });
      await call('POST /api/authenticate/again', { body: { response: { ...response } } });
    },
    onSuccess: confirmed,
  });
  return (
    <>
      {use.error && <Failed what="Couldn't confirm it's you." error={new Error(refusal(use.error))} />}
      <Button
        variant="default"
        loading={use.isPending}
        leftSection={<IconFingerprint size={18} stroke={1.75} aria-hidden />}
        onClick={() => use.mutate()}
      >
        Use a passkey
      </Button>
    </>
  );
};

/** For users of single sign-on, and of accounts without a password: a new sign-in is the proof. */
const SignInAgain = ({ cancel }: Pick<Answer, 'cancel'>) => {
  const router = useRouter();
  const leave = (): void => {
    cancel();
    endSession(router);
    void call('POST /api/logout').catch(() => {});
  };
  return (
    <>
      <Text>Sign in again to confirm it's you. You'll come back to this page, and have 5 minutes for the change.</Text>
      <Group mt="lg" gap="sm">
        <Button data-autofocus onClick={leave}>
          Sign in again
        </Button>
        <Cancel cancel={cancel} />
      </Group>
    </>
  );
};

const Choices = ({ ways, ...answer }: Answer & { ways: Ways }) => {
  const [isCode, setIsCode] = useState(!ways.hasPassword);
  const { hasPassword, mfaOptedIn, hasPasskey, isManagedElsewhere } = ways;
  if (isManagedElsewhere || !(hasPassword || mfaOptedIn || hasPasskey)) return <SignInAgain cancel={answer.cancel} />;
  return (
    <>
      <Text mb="sm">Before you change how you sign in, confirm it's you.</Text>
      {(hasPassword || mfaOptedIn) && <SecretForm key={String(isCode)} isCode={isCode} {...answer} />}
      <Group mt="sm" gap="sm">
        {hasPassword && mfaOptedIn && (
          <Button variant="subtle" size="compact-sm" onClick={() => setIsCode(!isCode)}>
            {isCode ? 'Use your password' : 'Use a verification code'}
          </Button>
        )}
        {hasPasskey && <PasskeyButton confirmed={answer.confirmed} />}
      </Group>
    </>
  );
};

/** Asks for a proof of identity before a change of how the account is opened. The change then goes ahead by itself. */
export const ConfirmIdentity = ({ answer }: { answer: (isConfirmed: boolean) => void }) => {
  const ways = useWays();
  const cancel = (): void => answer(false);
  return (
    <Dialog title="Confirm it's you" close={cancel}>
      {ways ? (
        <Choices ways={ways} confirmed={() => answer(true)} cancel={cancel} />
      ) : (
        <Text role="status">Loading…</Text>
      )}
    </Dialog>
  );
};
