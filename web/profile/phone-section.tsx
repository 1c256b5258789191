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

/** The request's opaque id, and the number as it was typed, which never leaves this component. */
interface Sent {
  notificationPhone: string;
  phone: string;
}

const NumberForm = ({ sent, cancel }: { sent: (sent: Sent) => void; cancel: (() => void) | null }) => {
  const form = useForm({
    initial: { phone: '' },
    check: ({ phone }) =>
      phone.replace(/\D/g, '').length >= 10 ? {} : { phone: 'Enter the number with its area code.' },
    save: ({ phone }) => call('POST /api/users/notification-phone', { body: { phone: phone.trim() } }),
    saved: ({ notificationPhone }, { phone }) => sent({ notificationPhone, phone }),
  });
  return (
    <form onSubmit={form.submit} noValidate className={classes.form}>
      <TextInput label="Mobile number" type="tel" autoComplete="tel" maxLength={30} {...textOf(form, 'phone')} />
      {form.failure && <Failed what="No code was sent." error={form.failure} />}
      <Group gap="sm">
        <Button type="submit" variant="default" loading={form.saving}>
          Send a code
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
    check: ({ code }) => (/^\d{6}$/.test(code.trim()) ? {} : { code: 'Enter the six digits.' }),
    save: ({ code }) =>
      call('POST /api/users/notification-phone/verify', { body: { notificationPhone: request, code: code.trim() } }),
    keys: { WRONG_CODE: 'code', NOT_FOUND: 'code' },
    saved: verified,
  });
  return (
    <form onSubmit={form.submit} noValidate className={classes.form}>
      <Text>We have sent a code to {sent.phone}. It is good for ten minutes and five tries.</Text>
      <TextInput
        label="Code from the text message"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        {...textOf(form, 'code')}
      />
      {form.failure && <Failed what="The number was not confirmed." error={form.failure} />}
      {again.error && <Failed what="No new code was sent." error={again.error} />}
      {again.isSuccess && <Text role="status">A new code was sent.</Text>}
      <Group gap="sm">
        <Button type="submit" loading={form.saving}>
          Confirm the number
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

/** The number for text messages, confirmed by a code that it really gets. */
export const PhoneSection = ({ profile, saved }: { profile: Profile; saved: (message: string) => void }) => {
  const client = useQueryClient();
  const [sent, send] = useState<Sent | null>(null);
  const [changing, change] = useState(false);
  return (
    <Section id="phone" title="Notification number">
      <Text mb="sm">
        Text messages about your saved filters go to this number. They hold no names, only counts and a link.
      </Text>
      {profile.notificationPhone && (
        <Text mb="sm" className="tabular">
          Confirmed: the number that ends in <b>{profile.notificationPhone}</b>.
        </Text>
      )}
      {sent ? (
        <CodeForm
          sent={sent}
          other={() => send(null)}
          verified={() => {
            send(null);
            change(false);
            void client.invalidateQueries({ queryKey: profileQuery.queryKey });
            saved('Your notification number is confirmed.');
          }}
        />
      ) : profile.notificationPhone && !changing ? (
        <Button variant="default" onClick={() => change(true)}>
          Change the number
        </Button>
      ) : (
        <NumberForm sent={send} cancel={profile.notificationPhone ? () => change(false) : null} />
      )}
    </Section>
  );
};
