import { Button, Group, TextInput } from '@mantine/core';
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser';
import type { Passkey } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { textOf } from '../forms/fields.ts';
import { useForm } from '../forms/use-form.ts';
import { Failed } from '../ui/states.tsx';
import { passkeyAddressProblem } from './passkey-address.ts';
import classes from './second-factor.module.css';

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

/** Names and creates a passkey on this device. */
export const AddPasskey = ({ added, cancel }: { added: (passkey: Passkey) => void; cancel: () => void }) => {
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
