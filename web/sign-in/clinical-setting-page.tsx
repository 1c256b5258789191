import { Button, Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Me } from '#contract/accounts.ts';
import type { PrimaryClinicalSetting } from '#contract/experiences.ts';
import { call } from '../api/call.ts';
import { useLocation, useNavigate } from '../router/hooks.ts';
import { homePath, safeReturnPath } from '../session/paths.ts';
import { meQuery } from '../session/queries.ts';
import { Failed } from '../ui/states.tsx';
import { useTitle } from '../ui/use-title.ts';
import { AccountFrame, Problem } from './account-frame.tsx';
import { Form } from './sign-in-forms.tsx';
import { refusal } from './sign-in-steps.ts';

/** Asks a hospital's user where they work, before the first page. */
export const ClinicalSettingPage = () => {
  useTitle('Primary clinical setting');
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const requested = useLocation({ select: ({ state }) => safeReturnPath(state.returnTo) });
  const [chosen, setChosen] = useState<string | null>(me?.user.primaryClinicalSetting ?? null);
  const [missing, setMissing] = useState(false);
  const settings = useQuery({
    queryKey: ['primary-clinical-settings'],
    queryFn: () => call('GET /api/resources/primary-clinical-settings'),
  });
  const save = useMutation({
    mutationFn: async (primaryClinicalSetting: PrimaryClinicalSetting) => {
      await call('PUT /api/users/primary-clinical-setting', { query: { primaryClinicalSetting } });
      if (!me) return;
      const user = { ...me.user, primaryClinicalSetting };
      client.setQueryData<Me>(meQuery.queryKey, { ...me, user });
      await navigate({ to: requested ?? homePath(user), replace: true });
    },
  });
  return (
    <AccountFrame title="Primary clinical setting">
      <Text>
        Your patient list opens with visits there; one click shows all patients. You can change this in your profile.
      </Text>
      <Problem message={save.isError ? refusal(save.error) : null} />
      {settings.isError && (
        <Failed
          what="Couldn't load the clinical settings."
          error={settings.error}
          retry={() => void settings.refetch()}
        />
      )}
      {settings.data && (
        <Form
          submit={() => {
            setMissing(!chosen);
            if (!chosen) return false;
            save.mutate(chosen as PrimaryClinicalSetting);
          }}
        >
          <Radio.Group
            label="Where do you mainly work?"
            value={chosen}
            error={missing && 'Choose one.'}
            onChange={setChosen}
          >
            <Stack gap="sm" my="sm">
              {settings.data.map(({ code, label }) => (
                <Radio key={code} value={code} label={label} />
              ))}
            </Stack>
          </Radio.Group>
          <Button type="submit" loading={save.isPending}>
            Continue
          </Button>
        </Form>
      )}
    </AccountFrame>
  );
};
