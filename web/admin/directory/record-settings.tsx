import { Button, Checkbox, Group, Text, TextInput, Title } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '#contract/counted.ts';
import type { RecordSettings as Settings } from '#contract/record-settings.ts';
import { call } from '../../api/call.ts';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { textOf, tickOf } from '../../forms/fields.ts';
import { useForm } from '../../forms/use-form.ts';
import { HolidayInputs, holidayProblems, holidaysOf, holidayValuesOf } from './holiday-fields.tsx';
import { LinkInputs, linkProblems, linksOf, linkValuesOf } from './link-fields.tsx';
import { RiskRuleDrawer } from './risk-rule.tsx';
import type { SettingsValues } from './settings-values.ts';

const settingsQuery = queryOptions({
  queryKey: ['admin-record-settings'],
  queryFn: () => call('GET /api/admin/record-settings'),
  staleTime: 0,
});

const SettingsDrawer = ({ settings, saved, close }: { settings: Settings; saved: () => void; close: () => void }) => {
  const { allowsEmergencyAccess } = settings;
  const form = useForm<SettingsValues, Settings>({
    initial: {
      allowsEmergencyAccess,
      embeddedSpotlights: settings.embeddedSpotlights ?? '',
      ...linkValuesOf(settings.pulse, settings.vynca),
      ...holidayValuesOf(settings.holidays),
    },
    check: (values) => ({ ...linkProblems(values), ...holidayProblems(values) }),
    save: ({ allowsEmergencyAccess: isAllowed, embeddedSpotlights, ...values }) =>
      call('PUT /api/admin/record-settings', {
        body: {
          allowsEmergencyAccess: isAllowed,
          embeddedSpotlights: embeddedSpotlights.trim() || null,
          ...linksOf(values),
          holidays: holidaysOf(values),
        },
      }),
    saved,
  });
  return (
    <EditDrawer title="Patient record settings" form={form} submit="Save" close={close}>
      <Checkbox
        label="Allow emergency access"
        description="People at other organizations who list a patient can open the patient's visits at your facilities for 60 minutes. They have to give a reason, and you get an email each time. Visits at a 42 CFR Part 2 facility open only in a medical emergency."
        {...tickOf(form, 'allowsEmergencyAccess')}
      />
      <HolidayInputs form={form} />
      <LinkInputs form={form} />
      <TextInput
        label="Embedded spotlights"
        description="The https:// address of a dashboard of another system, such as Tableau. People with that permission see it among the spotlights."
        maxLength={500}
        {...textOf(form, 'embeddedSpotlights')}
      />
    </EditDrawer>
  );
};

const holidayWords = ({ added, removed }: Settings['holidays']): string =>
  added.length + removed.length === 0
    ? 'Follow-up due dates skip weekends and federal holidays.'
    : `Follow-up due dates skip weekends, federal holidays${removed.length > 0 ? ` except ${removed.length}` : ''}${added.length > 0 ? `, and ${counted(added.length, 'day')} of your own` : ''}.`;

const riskWords = (rule: Settings['risingRisk']): string =>
  rule === null
    ? 'Rising risk follows the default rule.'
    : `Rising risk: at least ${counted(rule.visits, 'visit')} in ${rule.days} days and ${rule.factor} times the usual.`;

/** What the organization decides about its patients' records, below its groups. */
export const RecordSettings = ({ saved }: { saved: (message: string) => void }) => {
  const client = useQueryClient();
  const { data: settings } = useQuery(settingsQuery);
  const [edited, edit] = useState<'settings' | 'risk' | null>(null);
  if (!settings) return null;
  const done = (message: string): void => {
    edit(null);
    void client.invalidateQueries({ queryKey: settingsQuery.queryKey });
    void client.invalidateQueries({ queryKey: ['rising-risk-rule'] });
    saved(message);
  };
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
        {links.length > 0 && `Patients can be opened at ${links.join(' and ')}.`} {holidayWords(settings.holidays)}{' '}
        {riskWords(settings.risingRisk)}
      </Text>
      <Group gap="xs" mt="xs">
        <Button size="compact-xs" variant="default" onClick={() => edit('settings')}>
          Change settings…
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => edit('risk')}>
          Change rising-risk rule…
        </Button>
      </Group>
      {edited === 'settings' && (
        <SettingsDrawer
          settings={settings}
          saved={() => done('The patient record settings were saved.')}
          close={() => edit(null)}
        />
      )}
      {edited === 'risk' && (
        <RiskRuleDrawer
          settings={settings}
          saved={() => done('The rising-risk rule was saved.')}
          close={() => edit(null)}
        />
      )}
    </section>
  );
};
