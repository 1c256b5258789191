import { Button, Checkbox, Text, Title } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RecordSettings as Settings } from '#contract/record-settings.ts';
import { call } from '../../api/call.ts';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { tickOf } from '../../forms/fields.ts';
import { useForm } from '../../forms/use-form.ts';
import { LinkInputs, type LinkValues, linkProblems, linksOf, linkValuesOf } from './link-fields.tsx';

const settingsQuery = queryOptions({
  queryKey: ['admin-record-settings'],
  queryFn: () => call('GET /api/admin/record-settings'),
  staleTime: 0,
});

type Values = LinkValues & { allowsEmergencyAccess: boolean };

const SettingsDrawer = ({ settings, saved, close }: { settings: Settings; saved: () => void; close: () => void }) => {
  const { allowsEmergencyAccess } = settings;
  const form = useForm<Values, Settings>({
    initial: { allowsEmergencyAccess, ...linkValuesOf(settings.pulse, settings.vynca) },
    check: linkProblems,
    save: ({ allowsEmergencyAccess: isAllowed, ...links }) =>
      call('PUT /api/admin/record-settings', { body: { allowsEmergencyAccess: isAllowed, ...linksOf(links) } }),
    saved,
  });
  return (
    <EditDrawer title="Patient record settings" form={form} submit="Save" close={close}>
      <Checkbox
        label="Allow emergency access"
        description="People at other organizations who list a patient can open the patient's visits at your facilities for 60 minutes. They have to give a reason, and you get an email each time. Visits at a 42 CFR Part 2 facility open only in a medical emergency."
        {...tickOf(form, 'allowsEmergencyAccess')}
      />
      <LinkInputs form={form} />
    </EditDrawer>
  );
};

/** What the organization decides about its patients' records, below its groups. */
export const RecordSettings = ({ saved }: { saved: (message: string) => void }) => {
  const client = useQueryClient();
  const { data: settings } = useQuery(settingsQuery);
  const [isEditing, edit] = useState(false);
  if (!settings) return null;
  const links = [settings.pulse && 'WISHIN Pulse', settings.vynca && 'Vynca'].filter(Boolean);
  return (
    <section aria-label="Patient record settings">
      <Title order={2} mt="xl" mb="xs">
        Patient record settings
      </Title>
      <Text size="sm">
        {settings.allowsEmergencyAccess
          ? "In an emergency, other organizations can open your facilities' visits of patients they list."
          : 'Emergency access is off.'}{' '}
        {links.length > 0 && `Patients can be opened at ${links.join(' and ')}.`}{' '}
        <Button size="compact-xs" variant="default" onClick={() => edit(true)}>
          Change settings…
        </Button>
      </Text>
      {isEditing && (
        <SettingsDrawer
          settings={settings}
          saved={() => {
            edit(false);
            void client.invalidateQueries({ queryKey: settingsQuery.queryKey });
            saved('The patient record settings were saved.');
          }}
          close={() => edit(false)}
        />
      )}
    </section>
  );
};
