import { Alert, Anchor, Button, Radio, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { Link } from '../router/link.tsx';
import { useTitle } from '../ui/use-title.ts';
import { AccountFrame, Problem } from './account-frame.tsx';
import { Form } from './sign-in-forms.tsx';
import { refusal } from './sign-in-steps.ts';
import { readToken, TokenPage } from './token-page.tsx';

const EMPTY = { username: '', firstName: '', lastName: '', title: '', groupId: '' };
type Fields = typeof EMPTY;
const REQUIRED: [keyof Fields, string][] = [
  ['username', 'Enter your work email. It will be your username.'],
  ['firstName', 'Enter your first name.'],
  ['lastName', 'Enter your last name.'],
  ['groupId', 'Search for your group and select it.'],
];

/** Returns the errors of empty required fields. */
const missingFields = (fields: Fields): Partial<Fields> =>
  Object.fromEntries(REQUIRED.filter(([name]) => !fields[name].trim()));

const SEARCH_PAUSE = 300;
const useGroups = (typed: string) => {
  const [query, setQuery] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setQuery(typed.trim()), SEARCH_PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return useQuery({
    queryKey: ['registration-groups', query],
    queryFn: () => call('GET /api/registrations/groups', { query: { query } }),
    enabled: query.length >= 2,
  });
};

const GroupSearch = ({
  value,
  error,
  choose,
}: {
  value: string;
  error: string | undefined;
  choose: (groupId: string) => void;
}) => {
  const [typed, setTyped] = useState('');
  const { data, isError } = useGroups(typed);
  return (
    <>
      <TextInput
        label="Group"
        description="Your hospital, facility or program. Start typing its name."
        name="group"
        autoComplete="off"
        value={typed}
        error={error}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          choose('');
        }}
      />
      <div role="status">
        {isError && <Text size="sm">Couldn't search groups. Try again.</Text>}
        {data?.length === 0 && <Text size="sm">No matches. Check the spelling, or try fewer letters.</Text>}
        {data && data.length > 0 && (
          <Text size="xs" c="dimmed">
            {data.length === 1 ? '1 group' : `${data.length} groups`}
          </Text>
        )}
      </div>
      {data && data.length > 0 && (
        <Radio.Group aria-label="Matching groups" value={value} onChange={choose}>
          <Stack gap="sm">
            {data.map(({ id, name, organizationName }) => (
              <Radio key={id} value={id} label={name} description={organizationName} />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </>
  );
};

/** After the request: sends a reminder to an administrator that the user knows. */
const Remind = ({ username, groupId }: { username: string; groupId: string }) => {
  const [adminUsername, setAdmin] = useState('');
  const [missing, setMissing] = useState(false);
  const remind = useMutation({
    mutationFn: () => call('POST /api/users/admin-email', { query: { username, groupId, adminUsername } }),
  });
  if (remind.isSuccess)
    return <Alert role="status">If this person can approve your request, a reminder is on its way.</Alert>;
  return (
    <>
      <Title order={2} size="h4">
        Do you know an administrator?
      </Title>
      <Problem message={remind.isError ? refusal(remind.error) : null} />
      <Form
        submit={() => {
          setMissing(!adminUsername.trim());
          if (!adminUsername.trim()) return false;
          remind.mutate();
        }}
      >
        <TextInput
          label="Administrator's email"
          type="email"
          autoComplete="off"
          value={adminUsername}
          error={missing && 'Enter an email address.'}
          onChange={({ currentTarget }) => setAdmin(currentTarget.value.trim().toLowerCase())}
        />
        <Button type="submit" variant="default" loading={remind.isPending}>
          Send reminder
        </Button>
      </Form>
    </>
  );
};

const INPUTS: [name: keyof Fields, label: string, autoComplete: string][] = [
  ['username', 'Work email', 'email'],
  ['firstName', 'First name', 'given-name'],
  ['lastName', 'Last name', 'family-name'],
  ['title', 'Title (optional)', 'organization-title'],
];

/** Requests an account in a group, which the group's administrators approve or decline. */
const RequestPage = () => {
  useTitle('Request access');
  const [fields, setFields] = useState(EMPTY);
  const [errors, setErrors] = useState<Partial<Fields>>({});
  const set = (name: keyof Fields, value: string): void => {
    setFields((all) => ({ ...all, [name]: value }));
    setErrors(({ [name]: _, ...others }) => others);
  };
  const username = fields.username.trim().toLowerCase();
  const ask = useMutation({
    mutationFn: () =>
      call('POST /api/registrations', { body: { ...fields, username, title: fields.title.trim() || null } }),
    onError: (error) => error instanceof ApiError && setErrors(error.fields),
  });
  if (ask.isSuccess)
    return (
      <AccountFrame title="Request sent">
        <Text>
          We've notified the group's administrators. Once one of them approves, we'll email {username} a link to
          activate your account.
        </Text>
        <Remind username={username} groupId={fields.groupId} />
        <Anchor component={Link} data-target to="/login" underline="always">
          Return to sign-in
        </Anchor>
      </AccountFrame>
    );
  return (
    <AccountFrame title="Request access">
      <Text>
        An administrator of your group will review your request. If you were invited, use the link in your invitation
        email instead.
      </Text>
      <Problem message={ask.isError ? refusal(ask.error) : null} />
      <Form
        submit={() => {
          const missing = missingFields(fields);
          setErrors(missing);
          if (Object.keys(missing).length > 0) return false;
          ask.mutate();
        }}
      >
        {INPUTS.map(([name, label, autoComplete]) => (
          <TextInput
            key={name}
            label={label}
            name={name}
            type={name === 'username' ? 'email' : 'text'}
            autoComplete={autoComplete}
            value={fields[name]}
            error={errors[name]}
            onChange={({ currentTarget }) => set(name, currentTarget.value)}
          />
        ))}
        <GroupSearch value={fields.groupId} error={errors.groupId} choose={(groupId) => set('groupId', groupId)} />
        <Button type="submit" loading={ask.isPending} mt="xs">
          Send request
        </Button>
      </Form>
      <Anchor component={Link} data-target to="/login" underline="always">
        Return to sign-in
      </Anchor>
    </AccountFrame>
  );
};

/** Invited users activate their account with the emailed link; others request one. */
export const RegistrationPage = () => {
  // Read once: TokenPage removes the token from the address.
  const [invited] = useState(() => readToken() !== '');
  return invited ? <TokenPage /> : <RequestPage />;
};
