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
import { noPasskeyHere } from '../sign-in/passkey-address.ts';
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

/** What the browser or the device says, in words of ours: theirs are for developers. */
const reasonOf = (failure: Error): Error => {
  if (failure instanceof ApiError || failure instanceof TypeError) return failure;
  const message =
    failure.name === 'InvalidStateError'
      ? 'This device holds a passkey for you already.'
      : failure.name === 'NotAllowedError' || failure.name === 'AbortError'
        ? 'It was cancelled, or took too long. Try again when you are ready.'
        : failure.name === 'SecurityError'
          ? noPasskeyHere()
          : 'This browser or device could not make a passkey.';
  return new ApiError(0, { message });
};

const Add = ({ added, cancel }: { added: (passkey: Passkey) => void; cancel: () => void }) => {
  const form = useForm({
    initial: { name: '' },
    check: ({ name }) => (name.trim() ? {} : { name: 'Name it, so that you know it again.' }),
    save: ({ name }) => register(name.trim()),
    saved: added,
  });
  return (
    <form onSubmit={form.submit} noValidate className={classes.form}>
      <TextInput
        label="Name of the passkey"
        description="Where it is kept, for example: work laptop"
        data-autofocus
        maxLength={100}
        {...textOf(form, 'name')}
      />
      {form.failure && <Failed what="No passkey was added." error={reasonOf(form.failure)} />}
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

/** Passkeys: sign-in by fingerprint, face or the device's PIN. */
export const PasskeysSection = ({ profile, saved }: { profile: Profile; saved: (message: string) => void }) => {
  const client = useQueryClient();
  const [adding, add] = useState(false);
  const [removing, remove] = useState<Passkey | null>(null);
  const done = (message: string): void => {
    add(false);
    remove(null);
    void client.invalidateQueries({ queryKey: profileQuery.queryKey });
    saved(message);
  };
  return (
    <Section id="passkeys" title="Passkeys">
      <Text mb="sm">
        {profile.isManagedElsewhere
          ? 'Your organisation signs you in, so no passkey does.'
          : 'Sign in by fingerprint, face or the PIN of your device, without a password.'}
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
                aria-label={`Remove the passkey ${passkey.name}`}
                onClick={() => remove(passkey)}
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
            You have no passkey yet.
          </Text>
        )
      )}
      {profile.isManagedElsewhere ? null : adding ? (
        <Add added={({ name }) => done(`The passkey “${name}” was added.`)} cancel={() => add(false)} />
      ) : browserSupportsWebAuthn() ? (
        <Button
          variant="default"
          leftSection={<IconFingerprint size={16} stroke={1.75} aria-hidden />}
          onClick={() => add(true)}
        >
          Add a passkey
        </Button>
      ) : (
        <Text>This browser does not know passkeys.</Text>
      )}
      {removing && (
        <Confirm
          title={`Remove the passkey “${removing.name}”?`}
          word="Remove it"
          act={() => call('DELETE /api/users/passkeys/:id', { params: { id: removing.id } })}
          done={() => done(`The passkey “${removing.name}” was removed.`)}
          close={() => remove(null)}
        >
          It will no longer sign you in. Your device may go on offering it; you can delete it there too.
        </Confirm>
      )}
    </Section>
  );
};
