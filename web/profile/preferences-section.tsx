import { Anchor, Button, NativeSelect, Radio, Stack, Switch, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Me } from '#contract/accounts.ts';
import { PRIMARY_CLINICAL_SETTINGS } from '#contract/experiences.ts';
import type { Preferences } from '#contract/users.ts';
import { textOf, tickOf } from '../forms/fields.ts';
import { type Form, useForm } from '../forms/use-form.ts';
import { zoneChoices } from '../forms/zone-choices.ts';
import { Link } from '../router/link.tsx';
import { hasClinicalSetting } from '../session/clinical-setting.ts';
import { profilePath } from '../session/paths.ts';
import { savePreferences } from '../session/preferences.ts';
import { meQuery } from '../session/queries.ts';
import { useSession } from '../session/session.ts';
import { switchTeam } from '../session/switch-team.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import { Failed } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import classes from './profile.module.css';
import { Section } from './section.tsx';

type Values = Preferences & { teamId: string };

/** The form of the preferences. Saving another default team switches to it. */
const usePreferencesForm = (preferences: Preferences, saved: (message: string) => void) => {
  const client = useQueryClient();
  const { team } = useSession();
  const form = useForm<Values, unknown>({
    initial: { ...preferences, teamId: team.id },
    save: ({ teamId: _, ...next }) => savePreferences(next),
    saved: async (_, values) => {
      form.reset(values);
      const me = client.getQueryData<Me | null>(meQuery.queryKey);
      if (!me || values.teamId === team.id) return saved('Preferences saved.');
      try {
        // This remounts all pages for the other team, so the message must not be part of this one.
        await switchTeam(me, values.teamId);
        showToast({ type: 'success', message: 'Preferences saved. This is now your default team.' });
      } catch {
        showToast({ type: 'warning', message: "Couldn't change your default team. Try again." });
      }
    },
  });
  return form;
};

/** The primary clinical setting; other experiences have none. */
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
        description={teams.length > 1 ? 'Saving switches you to this team right away.' : "You're on one team."}
        disabled={teams.length < 2}
        {...textOf(form, 'teamId')}
        data={teams.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <ChoiceField
        label="Time zone"
        description="For dates and times. Events are shown in the time zone of their facility."
        {...textOf(form, 'timeZone')}
        data={zoneChoices(values.timeZone)}
      />
      <Radio.Group label="List density" value={values.density} onChange={(density) => change({ density })}>
        <Stack gap="xs" mt="xs">
          <Radio value="comfortable" label="Comfortable" description="Two or three lines per ping" />
          <Radio value="compact" label="Compact" description="One line per ping, if there is room" />
        </Stack>
      </Radio.Group>
      <Switch
        label="Single-key shortcuts"
        description="J, K, E, S and others. Esc always works."
        {...tickOf(form, 'singleKeyShortcuts')}
      />
    </>
  );
};

/** Primary clinical setting, default team, time zone, list density and single-key shortcuts. */
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
        {form.failure && <Failed what="Your preferences weren't saved." error={form.failure} />}
        <Button
          type="submit"
          variant="default"
          loading={form.saving}
          disabled={!form.dirty}
          style={{ alignSelf: 'flex-start' }}
        >
          Save preferences
        </Button>
      </form>
    </Section>
  );
};
