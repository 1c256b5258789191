import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Profile } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { notificationSettingsQuery } from '../notifications/notification-queries.ts';
import { MobileNumberModal, VerificationNumberModal } from '../notifications/phone-modals.tsx';
import { useLocation, useNavigate } from '../router/hooks.ts';
import { profileQuery } from '../session/preferences.ts';
import { Section } from './section.tsx';

/** The opaque id of the request whose code is asked for, in the address: the dialog survives a reload. The number stays in memory. */
const useCodeRequest = (): [string | null, (request: string | null) => void] => {
  const notificationPhone = useLocation({
    select: ({ search }) => (search as { notificationPhone?: unknown }).notificationPhone,
  });
  const navigate = useNavigate();
  const request = typeof notificationPhone === 'string' && notificationPhone !== '' ? notificationPhone : null;
  const set = (next: string | null): void =>
    void navigate({ to: '.', search: next === null ? {} : { notificationPhone: next }, replace: true });
  return [request, set];
};

/** The phone number for text messages, confirmed by a code that is sent to it. */
export const PhoneSection = ({ profile, saved }: { profile: Profile; saved: (message: string) => void }) => {
  const client = useQueryClient();
  const [request, setRequest] = useCodeRequest();
  const [dialog, setDialog] = useState<'number' | 'remove' | null>(null);
  const [phone, setPhone] = useState<string | null>(null);
  const close = (): void => {
    setDialog(null);
    if (request !== null) setRequest(null);
  };
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
      <Group gap="sm">
        <Button variant="default" onClick={() => setDialog('number')}>
          {profile.notificationPhone ? 'Change number' : 'Add mobile number'}
        </Button>
        {profile.notificationPhone && (
          <Button variant="default" onClick={() => setDialog('remove')}>
            Remove number
          </Button>
        )}
      </Group>
      {dialog === 'number' && (
        <MobileNumberModal
          close={close}
          sent={(sent) => {
            setPhone(sent.phone);
            setDialog(null);
            setRequest(sent.notificationPhone);
          }}
        />
      )}
      {request !== null && dialog === null && (
        <VerificationNumberModal
          key={request}
          sent={{ notificationPhone: request, phone }}
          close={close}
          other={() => {
            setRequest(null);
            setDialog('number');
          }}
          verified={() => {
            close();
            saved('Your notification phone number is confirmed.');
          }}
        />
      )}
      {dialog === 'remove' && (
        <Confirm
          title="Remove number"
          word="Remove"
          act={() => call('DELETE /api/users/notification-phone')}
          done={() => {
            setDialog(null);
            void client.invalidateQueries({ queryKey: profileQuery.queryKey });
            void client.invalidateQueries({ queryKey: notificationSettingsQuery.queryKey });
            saved('Your notification phone number was removed.');
          }}
          close={() => setDialog(null)}
        >
          The number ending in {profile.notificationPhone} gets no more text messages from Tidings. Your saved filters
          keep notifying you by email where that is on.
        </Confirm>
      )}
    </Section>
  );
};
