import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { textOf } from '../forms/fields.ts';
import { useForm } from '../forms/use-form.ts';
import { written } from '../patient/telephone.tsx';
import { profileQuery } from '../session/preferences.ts';
import { Modal } from '../ui/modal.tsx';
import { Failed } from '../ui/states.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { notificationSettingsQuery } from './notification-queries.ts';

/** The request's opaque id, and the number as typed; null after a reload, because only the id is in the address. */
export interface SentCode {
  notificationPhone: string;
  phone: string | null;
}

/** Asks for a mobile number, and has a code sent to it. */
export const MobileNumberModal = ({ sent, close }: { sent: (sent: SentCode) => void; close: () => void }) => {
  useReturnFocus();
  const form = useForm({
    initial: { phone: '' },
    check: ({ phone }) =>
      phone.replace(/\D/g, '').length >= 10 ? {} : { phone: 'Enter the phone number with its area code.' },
    save: ({ phone }) => call('POST /api/users/notification-phone', { body: { phone: phone.trim() } }),
    saved: ({ notificationPhone }, { phone }) => sent({ notificationPhone, phone }),
  });
  return (
    <Modal opened onClose={close} title="Mobile number">
      <form onSubmit={form.submit} noValidate>
        <Text mb="sm">We'll text a verification code to this number. Message and data rates may apply.</Text>
        <TextInput
          label="Mobile phone number"
          type="tel"
          autoComplete="tel"
          maxLength={30}
          data-autofocus
          {...textOf(form, 'phone')}
        />
        {form.failure && <Failed what="The code wasn't sent." error={form.failure} />}
        <Group gap="sm" mt="lg">
          <Button type="submit" loading={form.saving}>
            Send code
          </Button>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </Group>
      </form>
    </Modal>
  );
};

interface VerificationProps {
  sent: SentCode;
  verified: () => void;
  /** Goes back to the number. */
  other: () => void;
  close: () => void;
}

/** Asks for the code that was sent to a mobile number, which then counts. */
export const VerificationNumberModal = ({ sent, verified, other, close }: VerificationProps) => {
  useReturnFocus();
  const client = useQueryClient();
  const { phone } = sent;
  const [request, setRequest] = useState(sent.notificationPhone);
  const again = useMutation({
    mutationFn: (number: string) => call('POST /api/users/notification-phone', { body: { phone: number.trim() } }),
    onSuccess: ({ notificationPhone }) => setRequest(notificationPhone),
  });
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => (/^\d{6}$/.test(code.trim()) ? {} : { code: 'Enter the 6-digit code.' }),
    save: ({ code }) =>
      call('POST /api/users/notification-phone/verify', { body: { notificationPhone: request, code: code.trim() } }),
    keys: { WRONG_CODE: 'code', NOT_FOUND: ['code', 'This code has expired. Ask for another one.'] },
    saved: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: profileQuery.queryKey }),
        client.invalidateQueries({ queryKey: notificationSettingsQuery.queryKey }),
      ]);
      verified();
    },
  });
  return (
    <Modal opened onClose={close} title="Verification number" closeOnClickOutside={false}>
      <form onSubmit={form.submit} noValidate>
        <Text mb="sm">
          We texted a code to {phone ? written(phone) : 'your number'}. It works for 10 minutes and 5 tries.
        </Text>
        <TextInput
          label="Verification code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          data-autofocus
          {...textOf(form, 'code')}
        />
        {form.failure && <Failed what="The number wasn't confirmed." error={form.failure} />}
        {again.error && <Failed what="The new code wasn't sent." error={again.error} />}
        {again.isSuccess && <Text role="status">New code sent.</Text>}
        <Group gap="sm" mt="lg">
          <Button type="submit" loading={form.saving}>
            Confirm number
          </Button>
          {phone !== null && (
            <Button variant="default" loading={again.isPending} onClick={() => again.mutate(phone)}>
              Send another code
            </Button>
          )}
          <Button variant="default" onClick={other}>
            Use another number
          </Button>
        </Group>
      </form>
    </Modal>
  );
};
