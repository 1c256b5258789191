import { Button, Group, Text, TextInput } from '@mantine/core';
import { call } from '../api/call.ts';
import { CopyValue } from '../forms/copy-value.tsx';
import { textOf } from '../forms/fields.ts';
import { useForm } from '../forms/use-form.ts';
import { Failed } from '../ui/states.tsx';
import classes from './second-factor.module.css';

interface Enrollment {
  secret: string;
  qrCode: string;
}

/** Sets up an authenticator app: its secret, as a QR code and as text in groups of four, and the code that confirms it. */
export const AuthenticatorSetup = ({
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
