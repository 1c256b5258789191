import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Profile } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { textOf } from '../forms/fields.ts';
import { useForm } from '../forms/use-form.ts';
import { profileQuery } from '../session/preferences.ts';
import { Failed } from '../ui/states.tsx';
import classes from './profile.module.css';
import { Section } from './section.tsx';

/** The request's opaque id, and the number as typed. The number stays in this component. */
interface Sent {
  notificationPhone: string;
  phone: string;
}

const NumberForm = ({ sent, cancel }: { sent: (sent: Sent) => void; cancel: (() => void) | null }) => {
  const form = useForm({
    initial: { phone: '' },
    check: ({ phone }) =>
      phone.replace(/\D/g, '').length >= 10 ? {} : { phone: 'Enter the phone number with its area code.' },
    save: ({ phone }) => call('POST /api/users/notification-phone', { body: { phone: phone.trim() } }),
    saved: ({ notificationPhone }, { phone }) => sent({ notificationPhone, phone }),
  });
  return (
    <form onSubmit={form.submit} noValidate className={classes.form}>
      <TextInput label="Mobile phone number" type="tel" autoComplete="tel" maxLength={30} {...textOf(form, 'phone')} />
      {form.failure && <Failed what="The code wasn't sent." error={form.failure} />}
      <Group gap="sm">
        <Button type="submit" variant="default" loading={form.saving}>
          Send code
        </Button>
        {cancel && (
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
        )}
      </Group>
    </form>
  );
};

const CodeForm = ({ sent, verified, other }: { sent: Sent; verified: () => void; other: () => void }) => {
  const [request, setRequest] = useState(sent.notificationPhone);
  const again = useMutation({
    mutationFn: () => call('POST /api/users/notification-phone', { body: { phone: sent.phone.trim() } }),
    onSuccess: ({ notificationPhone }) => setRequest(notificationPhone),
  });
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => (/^\d{6}$/.test(code.trim()) ? {} : { code: 'Enter the 6-digit code.' }),
    save: ({ code }) =>
      call('POST /api/users/notification-phone/verify', { body: { notificationPhone: request, code: code.trim() } }),
    keys: { WRONG_CODE: 'code', NOT_FOUND: 'code' },
    saved: verified,
  });
  return (
    <form onSubmit={form.submit} noValidate className={classes.form}>
      <Text>We texted a code to {sent.phone}. It works for 10 minutes and 5 tries.</Text>
      <TextInput
        label="Verification code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        {...textOf(form, 'code')}
      />
      {form.failure && <Failed what="The number wasn't confirmed." error={form.failure} />}
      {again.error && <Failed what="The new code wasn't sent." error={again.error} />}
      {again.isSuccess && <Text role="status">New code sent.</Text>}
      <Group gap="sm">
        <Button type="submit" loading={form.saving}>
          Confirm number
        </Button>
        <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
          Send another code
        </Button>
        <Button variant="default" onClick={other}>
          Use another number
        </Button>
      </Group>
    </form>
  );
};

/** The phone number for text messages, confirmed by a code that is sent to it. */
export const PhoneSection = ({ profile, saved }: { profile: Profile; saved: (message: string) => void }) => {
  const client = useQueryClient();
  const [sent, setSent] = useState<Sent | null>(null);
  const [changing, setChanging] = useState(false);
  return (
    <Section id="phone" title="Notification phone number">
      <Text mb="sm">
        Text messages about your saved filters go to this number. They contain counts and a link, never names.
      </Text>
      {profile.notificationPhone && (
        <Text mb="sm" className="tabular">
          The confirmed number ends in <b>{profile.notificationPhone}</b>.
        </Text>
      )}
      {sent ? (
        <CodeForm
          sent={sent}
          other={() => setSent(null)}
          verified={() => {
            setSent(null);
            setChanging(false);
            void client.invalidateQueries({ queryKey: profileQuery.queryKey });
            saved('Your notification phone number is confirmed.');
          }}
        />
      ) : profile.notificationPhone && !changing ? (
        <Button variant="default" onClick={() => setChanging(true)}>
          Change number
        </Button>
      ) : (
        <NumberForm sent={setSent} cancel={profile.notificationPhone ? () => setChanging(false) : null} />
      )}
    </Section>
  );
};
