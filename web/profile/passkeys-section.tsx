import { Button, Group, Text, TextInput } from '@mantine/core';
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Passkey, Profile } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { Confirm } from '../forms/confirm.tsx';
import { textOf } from '../forms/fields.ts';
import { useForm } from '../forms/use-form.ts';
import { profileQuery } from '../session/preferences.ts';
import { passkeyAddressProblem } from '../sign-in/passkey-address.ts';
import { formatDate, formatDateTime } from '../ui/format/date.ts';
import { IconFingerprint } from '../ui/icons.ts';
import { Failed } from '../ui/states.tsx';
import classes from './profile.module.css';
import { Section } from './section.tsx';

const register = async (name: string): Promise<Passkey> => {
  const options = await call('POST /api/users/passkeys/options');
  const response = await startRegistration({
    optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
  });
  return call('POST /api/users/passkeys', { body: { name, response: { ...response } } });
};

/** Replaces the messages of browsers and devices, which are written for developers. */
const readable = (failure: Error): Error => {
  if (failure instanceof ApiError || failure instanceof TypeError) return failure;
  const message =
    failure.name === 'InvalidStateError'
      ? 'This device already has a passkey for you.'
      : failure.name === 'NotAllowedError' || failure.name === 'AbortError'
        ? "Canceled, or took too long. Try again when you're ready."
        : failure.name === 'SecurityError'
          ? passkeyAddressProblem()
          : "This browser or device couldn't create a passkey.";
  return new ApiError(0, { message });
};

const Add = ({ added, cancel }: { added: (passkey: Passkey) => void; cancel: () => void }) => {
  const form = useForm({
    initial: { name: '' },
    check: ({ name }) => (name.trim() ? {} : { name: 'Enter a name, so you can recognize it later.' }),
    save: ({ name }) => register(name.trim()),
    saved: added,
  });
  return (
    <form onSubmit={form.submit} noValidate className={classes.form}>
      <TextInput
        label="Passkey name"
        description="Name this device. Example: work laptop"
        data-autofocus
        maxLength={100}
        {...textOf(form, 'name')}
      />
      {form.failure && <Failed what="The passkey wasn't added." error={readable(form.failure)} />}
      <Group gap="sm">
        <Button type="submit" loading={form.saving}>
          Continue on this device
        </Button>
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
      </Group>
    </form>
  );
};

/** The user's passkeys. */
export const PasskeysSection = ({ profile, saved }: { profile: Profile; saved: (message: string) => void }) => {
  const client = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const done = (message: string): void => {
    setAdding(false);
    setRemoving(null);
    void client.invalidateQueries({ queryKey: profileQuery.queryKey });
    saved(message);
  };
  return (
    <Section id="passkeys" title="Passkeys">
      <Text mb="sm">
        {profile.isManagedElsewhere
          ? "You sign in through your organization, so you can't add passkeys."
          : 'Sign in with your fingerprint, face or device PIN instead of a password.'}
      </Text>
      {profile.passkeys.length > 0 ? (
        <ul className={classes.items}>
          {profile.passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <div className={classes.name}>{passkey.name}</div>
                <div className={classes.dim}>
                  Added {formatDate(passkey.createdDate)} ·{' '}
                  {passkey.lastUsedDate ? `last used ${formatDateTime(passkey.lastUsedDate)}` : 'not used yet'}
                </div>
              </div>
              <Button
                size="xs"
                variant="default"
                aria-label={`Remove passkey ${passkey.name}`}
                onClick={() => setRemoving(passkey)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        !adding &&
        !profile.isManagedElsewhere && (
          <Text c="dimmed" mb="sm">
            No passkeys yet.
          </Text>
        )
      )}
      {profile.isManagedElsewhere ? null : adding ? (
        <Add added={({ name }) => done(`Passkey “${name}” added.`)} cancel={() => setAdding(false)} />
      ) : browserSupportsWebAuthn() ? (
        <Button
          variant="default"
          leftSection={<IconFingerprint size={16} stroke={1.75} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          Add a passkey
        </Button>
      ) : (
        <Text>This browser doesn't support passkeys.</Text>
      )}
      {removing && (
        <Confirm
          title={`Remove passkey “${removing.name}”?`}
          word="Remove it"
          act={() => call('DELETE /api/users/passkeys/:id', { params: { id: removing.id } })}
          done={() => done(`Passkey “${removing.name}” removed.`)}
          close={() => setRemoving(null)}
        >
          You can no longer sign in with it. Your device may still offer it until you delete it there too.
        </Confirm>
      )}
    </Section>
  );
};
