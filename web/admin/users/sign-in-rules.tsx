import { Button, Checkbox, Group, NativeSelect, Text } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteAnswer } from '#contract/routes.ts';
import { call } from '../../api/call.ts';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { textOf, tickOf } from '../../forms/fields.ts';
import { type Form, useForm } from '../../forms/use-form.ts';
import { Note } from '../note.tsx';
import { countAccounts } from './count-accounts.ts';

type Policy = RouteAnswer<'GET /api/admin/sign-in-policy'>;

const policyQuery = queryOptions({
  queryKey: ['admin-sign-in-policy'],
  queryFn: () => call('GET /api/admin/sign-in-policy'),
  staleTime: 0,
});

const HOURS = [1, 2, 4, 8, 12, 24];
const MINUTES = [10, 15, 20, 30];
const hoursInWords = (hours: number): string => (hours === 1 ? '1 hour' : `${hours} hours`);

const factorWords = ({ requiresSecondFactor, requiresOfAdministrators, requiresSso }: Policy): string => {
  if (requiresSso) return 'Everyone signs in with single sign-on.';
  if (requiresSecondFactor) return 'Everyone who signs in with a password needs two-step verification or a passkey.';
  return requiresOfAdministrators
    ? 'Two-step verification is required for administrators, and optional for everyone else.'
    : 'Two-step verification is optional.';
};

/** How people sign in, and for how long, in a sentence or two. */
const describe = (policy: Policy): string => {
  const hours = Math.min(policy.sessionHours ?? policy.mostSessionHours, policy.mostSessionHours);
  return `${factorWords(policy)} A session ends after ${hoursInWords(hours)}, or ${policy.inactivityMinutes ?? 40} minutes without activity.`;
};

interface Values {
  requiresSecondFactor: boolean;
  requiresSso: boolean;
  /** Empty for the installation's. */
  sessionHours: string;
  inactivityMinutes: string;
}

const textOfNumber = (value: number | null): string => (value === null ? '' : String(value));
const numberIn = (text: string): number | null => (text === '' ? null : Number(text));
/** The choices, with the present one if it is none of them. */
const choicesWith = (values: readonly number[], present: string): string[] =>
  [...new Set([...values.map(String), ...(present ? [present] : [])])].sort((a, b) => Number(a) - Number(b));

const SsoRule = ({ policy, form }: { policy: Policy; form: Form<Values> }) => (
  <>
    <Checkbox
      label="Everyone signs in with single sign-on"
      description={
        policy.hasSso
          ? 'Passwords, passkeys and links by email stop opening accounts, from the next sign-in on. Sessions that are open now stay open until they end; to end them sooner, select people in the list and choose “End all sessions”.'
          : 'Enable a connection to your identity provider first, with a verified email domain, under Single sign-on.'
      }
      disabled={!policy.hasSso && !form.values.requiresSso}
      {...tickOf(form, 'requiresSso')}
      error={form.errorOf('requiresSso')}
    />
    {form.values.requiresSso && !policy.requiresSso && policy.withoutSso > 0 && (
      <Note>
        {countAccounts(policy.withoutSso)} can’t sign in any more: no enabled connection covers the email address.
      </Note>
    )}
  </>
);

const RulesDrawer = ({ policy, saved, close }: { policy: Policy; saved: () => void; close: () => void }) => {
  const form = useForm<Values, void>({
    initial: {
      requiresSecondFactor: policy.requiresSecondFactor,
      requiresSso: policy.requiresSso,
      sessionHours: textOfNumber(policy.sessionHours),
      inactivityMinutes: textOfNumber(policy.inactivityMinutes),
    },
    save: ({ sessionHours, inactivityMinutes, ...rules }) =>
      call('PUT /api/admin/sign-in-policy', {
        body: { ...rules, sessionHours: numberIn(sessionHours), inactivityMinutes: numberIn(inactivityMinutes) },
      }),
    saved,
  });
  const { mostSessionHours } = policy;
  return (
    <EditDrawer title="Sign-in rules" form={form} submit="Save" close={close}>
      <Checkbox
        label="Everyone needs two-step verification or a passkey"
        description="People without it set it up at their next sign-in. Single sign-on isn’t affected: your identity provider decides there."
        {...tickOf(form, 'requiresSecondFactor')}
      />
      <SsoRule policy={policy} form={form} />
      <NativeSelect
        label="A session ends after"
        {...textOf(form, 'sessionHours')}
        data={[
          { value: '', label: `${hoursInWords(mostSessionHours)} (as installed)` },
          ...choicesWith(
            HOURS.filter((hours) => hours < mostSessionHours),
            form.values.sessionHours,
          ).map((value) => ({ value, label: hoursInWords(Number(value)) })),
        ]}
      />
      <NativeSelect
        label="Without activity, it ends after"
        description="A warning appears 5 minutes before."
        {...textOf(form, 'inactivityMinutes')}
        data={[
          { value: '', label: '40 minutes' },
          ...choicesWith(MINUTES, form.values.inactivityMinutes)
            .reverse()
            .map((value) => ({ value, label: `${value} minutes` })),
        ]}
      />
    </EditDrawer>
  );
};

/** How people of the organization sign in, and for how long, and the way to change it. */
export const SignInRules = () => {
  const client = useQueryClient();
  const { data: policy } = useQuery(policyQuery);
  const [isChanging, setIsChanging] = useState(false);
  if (!policy) return null;
  return (
    <Group gap="xs" mb="sm">
      <Text size="sm">{describe(policy)}</Text>
      <Button size="compact-xs" variant="default" onClick={() => setIsChanging(true)}>
        Sign-in rules…
      </Button>
      {isChanging && (
        <RulesDrawer
          policy={policy}
          saved={() => {
            setIsChanging(false);
            void client.invalidateQueries({ queryKey: policyQuery.queryKey });
          }}
          close={() => setIsChanging(false)}
        />
      )}
    </Group>
  );
};
