import { Radio, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Consent, Consents } from '#contract/consents.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { textOf } from '../forms/fields.ts';
import { Loaded } from '../forms/loaded.tsx';
import { type Form, useForm } from '../forms/use-form.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { recipientsQuery } from './consent-queries.ts';

interface Values {
  facilityGroupId: string;
  recipientGroupId: string;
  /** Empty for a consent without a last day. */
  expiresDate: string;
}

/** The longest text that recipients are searched by. */
const TEXT_MAX = 100;

/** Finds the group that the patient consents to share with. */
const Recipient = ({ form }: { form: Form<Values> }) => {
  const [asked, ask] = useState('');
  const typed = useDebounced(asked, ask);
  const recipients = useQuery({ ...recipientsQuery(asked), placeholderData: (previous) => previous });
  return (
    <>
      <TextInput
        label="Find a group"
        description="The beginning of the name of the group or its organization"
        maxLength={TEXT_MAX}
        value={typed.text}
        onChange={({ currentTarget }) => typed.setText(currentTarget.value)}
      />
      <Loaded query={recipients} what="groups">
        {(groups) => (
          <Radio.Group
            label="Share with"
            value={form.values.recipientGroupId}
            error={form.errorOf('recipientGroupId')}
            onChange={(recipientGroupId) => form.change({ recipientGroupId })}
          >
            {groups.length === 0 && <Text c="dimmed">No matches. Try fewer letters.</Text>}
            {groups
              .filter(({ groupId }) => groupId !== form.values.facilityGroupId)
              .map(({ groupId, groupName, organizationName }) => (
                <Radio key={groupId} value={groupId} label={groupName} description={organizationName} mt="xs" />
              ))}
          </Radio.Group>
        )}
      </Loaded>
    </>
  );
};

/** Records that a patient consents to share what happens at a 42 CFR Part 2 facility with one group. */
export const ConsentDrawer = ({
  patientId,
  facilities,
  saved,
  close,
}: {
  patientId: string;
  facilities: Consents['facilities'];
  saved: (message: string) => void;
  close: () => void;
}) => {
  const form = useForm<Values, Consent>({
    initial: { facilityGroupId: facilities[0]?.id ?? '', recipientGroupId: '', expiresDate: '' },
    check: ({ recipientGroupId }) => ({ recipientGroupId: recipientGroupId ? undefined : 'Choose a group.' }),
    save: ({ expiresDate, ...body }) =>
      call('POST /api/patients/:id/consents', {
        params: { id: patientId },
        body: expiresDate ? { ...body, expiresDate } : body,
      }),
    saved: ({ recipient }) => saved(`The consent for ${recipient.groupName} was recorded.`),
  });
  return (
    <EditDrawer title="Record consent" form={form} submit="Record consent" close={close}>
      <Text size="sm">
        Record a consent only if the patient has signed it. The group then gets what happened while it listed the
        patient, and what happens from now on.
      </Text>
      {facilities.length > 1 && (
        <ChoiceField
          label="Facility"
          {...textOf(form, 'facilityGroupId')}
          data={facilities.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <Recipient form={form} />
      <TextInput
        label="Expires"
        type="date"
        description="The last day of the consent. Leave empty if it doesn't name one."
        {...textOf(form, 'expiresDate')}
      />
    </EditDrawer>
  );
};
