import { Anchor, Button, NativeSelect, Radio, Stack, Switch, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Me } from '#contract/accounts.ts';
import { PRIMARY_CLINICAL_SETTINGS } from '#contract/experiences.ts';
import type { Preferences } from '#contract/users.ts';
import { textOf, tickOf } from '../forms/fields.ts';
import { type Form, useForm } from '../forms/use-form.ts';
import { zoneChoices } from '../forms/zone-choices.ts';
import { savePreferences } from '../session/preferences.ts';
import { hasClinicalSetting, meQuery, profilePath, useSession } from '../session/session.ts';
import { switchTeam } from '../session/switch-team.ts';
import { Failed } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import classes from './profile.module.css';
import { Section } from './section.tsx';

type Values = Preferences & { teamId: string };

/** Preferences as they are kept on the server; another default team is opened at once. */
const usePreferencesForm = (preferences: Preferences, saved: (message: string) => void) => {
  const client = useQueryClient();
  const { team } = useSession();
  const form = useForm<Values, unknown>({
    initial: { ...preferences, teamId: team.id },
    save: ({ teamId: _, ...next }) => savePreferences(next),
    saved: async (_, values) => {
      form.reset(values);
      const me = client.getQueryData<Me | null>(meQuery.queryKey);
      if (!me || values.teamId === team.id) return saved('Your preferences were saved.');
      try {
        // Mounts everything anew for the other team: what it says must outlive this page.
        await switchTeam(me, values.teamId);
        showToast({ type: 'success', message: 'Your preferences were saved. This is your default team now.' });
      } catch {
        showToast({ type: 'warning', message: 'The default team was not changed. Please try again.' });
      }
    },
  });
  return form;
};

/** Of a hospital's user; nothing for others. */
const ClinicalSetting = () => {
  const { user } = useSession();
  if (!hasClinicalSetting(user) || !user.primaryClinicalSetting) return null;
  return (
    <Text mb="sm">
      Primary clinical setting: {PRIMARY_CLINICAL_SETTINGS[user.primaryClinicalSetting]}.{' '}
      <Anchor
        component={Link}
        to="/primary-clinical-setting"
        state={{ returnTo: profilePath(user) }}
        inherit
        underline="always"
      >
        Change it
      </Anchor>
    </Text>
  );
};

const Fields = ({ form }: { form: Form<Values> }) => {
  const { values, change } = form;
  const teams = Object.values(useSession().user.teams);
  return (
    <>
      <NativeSelect
        label="Default team"
        description={teams.length > 1 ? 'Saving another one opens it at once.' : 'You belong to one team.'}
        disabled={teams.length < 2}
        {...textOf(form, 'teamId')}
        data={teams.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <NativeSelect
        label="Time zone"
        description="Of dates and times; events stay on the clock of their facility."
        {...textOf(form, 'timeZone')}
        data={zoneChoices(values.timeZone)}
      />
      <Radio.Group label="Density of lists" value={values.density} onChange={(density) => change({ density })}>
        <Stack gap="xs" mt="xs">
          <Radio value="comfortable" label="Comfortable" description="Two or three lines for each ping" />
          <Radio value="compact" label="Compact" description="One line for each ping where there is room" />
        </Stack>
      </Radio.Group>
      <Switch
        label="Single-key shortcuts"
        description="J, K, E, S and others. Escape works in any case."
        {...tickOf(form, 'singleKeyShortcuts')}
      />
    </>
  );
};

/** Clinical setting of a hospital's user, default team, time zone, density of lists and single-key shortcuts. */
export const PreferencesSection = ({
  preferences,
  saved,
}: {
  preferences: Preferences;
  saved: (message: string) => void;
}) => {
  const form = usePreferencesForm(preferences, saved);
  return (
    <Section id="preferences" title="Preferences">
      <ClinicalSetting />
      <form onSubmit={form.submit} noValidate className={classes.form}>
        <Fields form={form} />
        {form.failure && <Failed what="Your preferences were not saved." error={form.failure} />}
        <Button
          type="submit"
          variant="default"
          loading={form.saving}
          disabled={!form.dirty}
          style={{ alignSelf: 'flex-start' }}
        >
          Save the preferences
        </Button>
      </form>
    </Section>
  );
};
